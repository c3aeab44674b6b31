// A case in the QNN C API's own records: tensors, params and op configs.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_QNN_CONFIG_H_
#define OPKG_RUNNER_QNN_CONFIG_H_

#include <vector>

#include "case_file.h"
#include "opkg/qnn_abi.h"

namespace opkg {

// Owns the records of one case; the case must outlive it. Tensors point at the data file's bytes.
class QnnConfig {
 public:
  explicit QnnConfig(const Case& test);

  size_t tensorCount() const { return tensors_.size(); }
  Qnn_Tensor_t& tensor(size_t index) { return tensors_[index]; }
  Qnn_Tensor_t* tensor(const std::string& name);

  // The config of one node. Tensors are copied into it, so ids given by a backend before this call are in it.
  Qnn_OpConfig_t node(size_t index);

 private:
  struct NodeStorage {
    std::vector<Qnn_Tensor_t> inputs, outputs;
    std::vector<Qnn_Param_t> params;
  };
  Qnn_Tensor_t makeTensor(const TensorSpec& spec);
  Qnn_Param_t makeParam(const ParamSpec& spec);

  const Case& test_;
  std::vector<Qnn_Tensor_t> tensors_;  // in the order of the case's tensors
  std::vector<std::vector<uint32_t>> dims_;
  std::vector<std::vector<Qnn_ScaleOffset_t>> scales_;
  std::vector<NodeStorage> nodes_;
};

}  // namespace opkg

#endif  // OPKG_RUNNER_QNN_CONFIG_H_

// The graph that QHPI callbacks read and rewrite.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_QHPI_GRAPH_H_
#define OPKG_RUNNER_QHPI_GRAPH_H_

#include <memory>
#include <string>
#include <vector>

#include "case_file.h"
#include "opkg/qhpi_abi.h"

namespace opkg {
class QhpiGraph;
struct RegisteredOp;
enum class OpKind {
  kInput, kConstant, kShape, kPackage, kSlice, kConcat, kReshape, kMultiOutput, kError, kUnknown
};
}  // namespace opkg

// What packages hold as `const QHPI_Op*`. Ops live as long as their graph; trial tiles simply stay unused.
struct QHPI_Op {
  opkg::QhpiGraph* graph = nullptr;
  opkg::OpKind kind = opkg::OpKind::kPackage;
  uint32_t id = 0;
  std::string name;  // "package::Op"
  std::string node;  // the case's node it came from, for reports
  std::vector<QHPI_OpRef> inputs;
  std::vector<QHPI_OutputDef> outputs;
  std::vector<QHPI_OutputDef> early_outputs;  // graph inputs before signed types were converted
  uint32_t first_input = 0;                   // graph inputs: which input of the case output 0 is
  std::vector<uint8_t> data;                  // constants
  QHPI_Shape start = {};                      // slices
  uint32_t axis = 0;                          // concats
  std::string error;                          // error ops
  const opkg::RegisteredOp* registered = nullptr;
  // Set by prepare:
  const QHPI_Kernel_v1* kernel = nullptr;
  bool rewritten_early = false, rewritten_late = false;
  bool tiled = false;  // a piece of an op that was split
};

namespace opkg {

class QhpiGraph {
 public:
  struct Output {
    QHPI_OpRef ref;
    const TensorSpec* tensor;
  };

  QHPI_Op* add(OpKind kind, const std::string& name, const QHPI_Op* like = nullptr);

  // Every op that an output needs, producers first. Multi-output ops are resolved away.
  std::vector<QHPI_Op*> live();

  // Lets everything that used `from` (as of `users`, and the graph's outputs) use `to` instead.
  void replace(const QHPI_Op* from, const QHPI_Op* to, const std::vector<QHPI_Op*>& users);

  // Ops that consume `op`; of an op with several outputs their number, as the backend puts an op behind each.
  // During a rewrite, ops that it makes and ops that it has just replaced count too, as nothing is cleared
  // away before it is done.
  uint32_t uses(const QHPI_Op* op);

  // Brackets one rewrite; they nest. Returns the id above which ops are new.
  uint32_t beginRewrite();
  void endRewrite();

  // A reference with multi-output ops followed to what they stand for.
  static QHPI_OpRef resolve(QHPI_OpRef ref);

  // Gives every graph input an op of its own, as the backend does between early and late rewrites.
  void separateInputs();

  std::vector<Output> outputs;
  bool early = true;  // graph inputs still show signed types

 private:
  std::vector<std::unique_ptr<QHPI_Op>> ops_;
  uint32_t rewrite_depth_ = 0;
  std::vector<QHPI_Op*> in_rewrite_;  // what was live when it began, then everything made since
};

// An op as the backend remembers it: kernels that registration found fault with are not among its kernels.
struct RegisteredOp {
  std::string name;  // with the package prefix
  const QHPI_OpInfo_v1* info;
  std::vector<const QHPI_Kernel_v1*> kernels;
};
const RegisteredOp* findRegisteredOp(const std::string& name);

}  // namespace opkg

#endif  // OPKG_RUNNER_QHPI_GRAPH_H_

// Runs one case in the backend: context, graph, tensors, nodes, finalize, execute.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstring>

#include "htp_backend.h"
#include "htp_guard.h"
#include "progress.h"
#include "qnn_config.h"

namespace opkg {
namespace {

constexpr uint64_t kLongCall = 2000000;  // us; a longer one is not made again

struct Turn {
  Place place;
  bool other_data;
  uint8_t poison;
  const char* text;
};
constexpr Turn kTurns[] = {
    {Place::kStart, false, 0xA5, ""},
    {Place::kLineEnd, true, 0x3C, " (second call: other data, at the ends of pages)"},
    {Place::kByteEnd, false, 0x5A, " (third call: the first data, misaligned)"},
};

// One case's graph and the buffers its outputs are read from.
class HtpGraph {
 public:
  HtpGraph(const HtpBackend& backend, const QnnInterface_Implementation_t& api, const Case& test)
      : backend_(backend), api_(api), test_(test), config_(test) {}

  Outcome compose(Qnn_ContextHandle_t context, Qnn_BackendHandle_t backend) {
    progress().at("compose", "");
    Qnn_ErrorHandle_t code = api_.graphCreate(context, test_.name.c_str(), nullptr, &graph_);
    if (code != QNN_SUCCESS) return failed("compose", "graphCreate", code, "");
    for (size_t i = 0; i < config_.tensorCount(); ++i) {
      code = api_.tensorCreateGraphTensor(graph_, &config_.tensor(i));
      if (code != QNN_SUCCESS) {
        return failed("compose", "tensorCreateGraphTensor", code, test_.tensors[i].name);
      }
    }
    for (size_t i = 0; i < test_.nodes.size(); ++i) {
      const Outcome outcome = addNode(i, backend);
      if (!outcome.ok()) return outcome;
    }
    return Outcome();
  }

  Outcome finalize() {
    progress().at("finalize", "");
    const Qnn_ErrorHandle_t code = api_.graphFinalize(graph_, nullptr, nullptr);
    return code == QNN_SUCCESS ? Outcome() : failed("finalize", "graphFinalize", code, "");
  }

  // Three times, as on the host: as the case says, with every input's elements in reverse order, and as at first. The
  // kernels' tensors lie elsewhere in their pages each time.
  Outcome execute(CaseResult* result, ResultWriter* writer) {
    collectBuffers();
    std::vector<std::vector<uint8_t>> first;
    for (const Turn& turn : kTurns) {
      guardTensorsAt(turn.place);
      progress().at("execute", "");
      progress().during(turn.text);
      setInputs(turn.other_data);
      for (std::vector<uint8_t>& buffer : buffers_) memset(buffer.data(), turn.poison, buffer.size());
      const uint64_t start = nowMicros();
      const Qnn_ErrorHandle_t code =
          api_.graphExecute(graph_, inputs_.data(), static_cast<uint32_t>(inputs_.size()), outputs_.data(),
                            static_cast<uint32_t>(outputs_.size()), nullptr, nullptr);
      const uint64_t took = nowMicros() - start;
      const std::string violation = takeGuardViolation();
      if (!violation.empty()) return {"guard", "execute", 0, violation + turn.text};
      if (code != QNN_SUCCESS) return failed("execute", "graphExecute", code, "");
      if (turn.place != Place::kStart) LogCapture::take();  // once more what the first call logged
      if (turn.place == Place::kStart) {
        for (LogLine& line : LogCapture::take()) result->log.push_back(std::move(line));
        result->us = took;
        result->paths = backend_.paths().get();
        first = buffers_;
        if (took > kLongCall) break;
      }
    }
    for (size_t i = 0; i < outputs_.size(); ++i) {
      result->outputs.push_back(writer->append(*output_specs_[i], first[i]));
      if (first != buffers_) result->again.push_back(writer->append(*output_specs_[i], buffers_[i]));
    }
    return Outcome();
  }

 private:
  Outcome addNode(size_t index, Qnn_BackendHandle_t backend) {
    const NodeSpec& node = test_.nodes[index];
    progress().at("validate", node.name.c_str());
    Qnn_OpConfig_t config = config_.node(index);
    Qnn_ErrorHandle_t code = api_.backendValidateOpConfig(backend, config);
    if (code != QNN_SUCCESS) {
      Outcome outcome = failed("validate", "validateOpConfig", code, node.name);
      outcome.status = "rejected";
      return outcome;
    }
    progress().at("compose", node.name.c_str());
    code = api_.graphAddNode(graph_, config);
    return code == QNN_SUCCESS ? Outcome() : failed("compose", "graphAddNode", code, node.name);
  }

  // The case's inputs, or their elements in reverse order.
  void setInputs(bool reversed) {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const TensorSpec& spec = *input_specs_[i];
      given_[i].assign(spec.data, spec.data + spec.size);
      const size_t element = qnnTypeSize(spec.dtype);
      for (size_t at = 0; reversed && element != 0 && at + element <= spec.size; at += element)
        memcpy(&given_[i][spec.size - at - element], spec.data + at, element);
      inputs_[i].v1.clientBuf.data = given_[i].data();
    }
  }

  void collectBuffers() {
    for (size_t i = 0; i < test_.tensors.size(); ++i) {
      const TensorSpec& spec = test_.tensors[i];
      Qnn_Tensor_t tensor = config_.tensor(i);
      if (spec.kind == TensorKind::kInput) {
        tensor.v1.clientBuf.data = const_cast<uint8_t*>(spec.data);
        tensor.v1.clientBuf.dataSize = static_cast<uint32_t>(spec.size);
        inputs_.push_back(tensor);
        input_specs_.push_back(&spec);
        given_.emplace_back();
      } else if (spec.kind == TensorKind::kOutput) {
        buffers_.emplace_back(elementCount(spec.dims) * qnnTypeSize(spec.dtype), uint8_t{0xA5});
        tensor.v1.clientBuf.data = buffers_.back().data();
        tensor.v1.clientBuf.dataSize = static_cast<uint32_t>(buffers_.back().size());
        outputs_.push_back(tensor);
        output_specs_.push_back(&spec);
      }
    }
  }

  Outcome failed(const char* stage, const char* call, Qnn_ErrorHandle_t code,
                 const std::string& subject) const {
    std::string text = backend_.describe(call, code);
    if (!subject.empty()) text = subject + ": " + text;
    return Outcome::error(stage, code, text);
  }

  const HtpBackend& backend_;
  const QnnInterface_Implementation_t& api_;
  const Case& test_;
  QnnConfig config_;
  Qnn_GraphHandle_t graph_ = nullptr;
  std::vector<Qnn_Tensor_t> inputs_, outputs_;
  std::vector<const TensorSpec*> input_specs_, output_specs_;
  std::vector<std::vector<uint8_t>> given_;  // what the inputs hold
  std::vector<std::vector<uint8_t>> buffers_;
};

}  // namespace

Outcome HtpBackend::save(Qnn_ContextHandle_t context, const char* folder, int index) const {
  progress().at("save", "");
  uint64_t size = 0;
  Qnn_ErrorHandle_t code = api_->contextGetBinarySize(context, &size);
  if (code != QNN_SUCCESS) return Outcome::error("save", code, describe("contextGetBinarySize", code));
  std::vector<uint8_t> binary(size);
  uint64_t written = 0;
  code = api_->contextGetBinary(context, binary.data(), size, &written);
  if (code != QNN_SUCCESS) return Outcome::error("save", code, describe("contextGetBinary", code));
  const std::string path = std::string(folder) + "/" + std::to_string(index) + ".bin";
  FILE* const file = fopen(path.c_str(), "wb");
  const bool whole = file != nullptr && fwrite(binary.data(), 1, written, file) == written;
  if (file == nullptr || fclose(file) != 0 || !whole) return Outcome::error("save", 1, "cannot write " + path);
  return Outcome();
}

void HtpBackend::run(const Case& test, const char* contexts, CaseResult* result, ResultWriter* writer) {
  progress().at("compose", "");
  Qnn_ContextHandle_t context = nullptr;
  const Qnn_ErrorHandle_t code = api_->contextCreate(backend_, device_, nullptr, &context);
  if (code != QNN_SUCCESS) {
    result->outcome = Outcome::error("compose", code, describe("contextCreate", code));
    return;
  }
  HtpGraph graph(*this, *api_, test);
  paths_.clear();  // finalize calls kernels on constants
  result->outcome = graph.compose(context, backend_);
  if (result->outcome.ok()) result->outcome = graph.finalize();
  if (result->outcome.ok()) {
    result->outcome = contexts != nullptr ? save(context, contexts, test.index) : graph.execute(result, writer);
  }
  for (const std::string& kernel : takeKernels()) result->kernels.push_back({"", "", kernel});
  const std::string violation = takeGuardViolation();  // of a kernel that finalize calls for constants
  if (!violation.empty()) result->outcome = {"guard", "finalize", 0, violation};
  const std::string unguarded = unguardedKernels();
  if (!unguarded.empty()) LogCapture::add(3, "in the backend's own memory, without guards: " + unguarded);
  api_->contextFree(context, nullptr);
}

}  // namespace opkg

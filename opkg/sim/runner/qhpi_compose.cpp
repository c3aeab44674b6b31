// Builds the graph of a case as addNode does.
// SPDX-License-Identifier: Apache-2.0
#include "interface.h"
#include "progress.h"
#include "qhpi_prepare.h"

namespace opkg {
namespace {

Outcome refuse(const std::string& subject, uint64_t code, const std::string& text) {
  return Outcome::error("compose", code, subject + ": " + text);
}

class Composer {
 public:
  Composer(const Case& test, QhpiGraph* graph) : test_(test), graph_(*graph) {}

  Outcome run() {
    for (const TensorSpec& tensor : test_.tensors) {
      const Outcome outcome = addSource(tensor);
      if (!outcome.ok()) return outcome;
    }
    for (const NodeSpec& node : test_.nodes) {
      progress().at("compose", node.name.c_str());
      const Outcome outcome = addNode(node);
      if (!outcome.ok()) return outcome;
    }
    for (const TensorSpec& tensor : test_.tensors) {
      if (tensor.kind != TensorKind::kOutput) continue;
      const QHPI_OpRef producer = valueOf(tensor.name);
      if (producer.op == nullptr) return refuse(tensor.name, 6000, "no node produces this output");
      graph_.outputs.push_back({producer, &tensor});
    }
    return Outcome();
  }

 private:
  struct Value {
    std::string tensor;
    QHPI_OpRef ref;
  };

  QHPI_OpRef valueOf(const std::string& name) const {
    for (const Value& value : values_) {
      if (value.tensor == name) return value.ref;
    }
    return {nullptr, 0};
  }

  Outcome addSource(const TensorSpec& tensor) {
    if (tensor.kind == TensorKind::kNull) {
      QHPI_Op* op = graph_.add(OpKind::kShape, "$Shape");
      op->outputs.push_back({QHPI_QUInt8, {0, 1.0f}, {4, {0, 0, 0, 0, 0, 0, 0, 0}}});
      values_.push_back({tensor.name, {op, 0}});
      return Outcome();
    }
    const Arrival kind = arrival(tensor.dtype);
    if (kind.type == QHPI_Unknown)
      return refuse(tensor.name, 7004, "a backend takes no tensor of this data type");
    const bool number = tensor.dims.empty() && tensor.kind != TensorKind::kInput;  // of rank 0
    if (number || tensor.dims.size() > 5) {
      return Outcome::error(
          "finalize", kPrepareFailed,
          tensor.name + ": the backend fails on tensors of rank " + std::to_string(tensor.dims.size()));
    }
    if (tensor.quant.kind == QuantKind::kAxis) {
      return refuse(tensor.name, 1000, "a custom op takes no per-axis quantized tensor");
    }
    const uint64_t bytes = elementCount(tensor.dims) * qnnTypeSize(tensor.dtype);
    const bool has_data = tensor.kind == TensorKind::kInput || tensor.kind == TensorKind::kStatic;
    if (has_data && bytes != tensor.size) {
      return refuse(tensor.name, 7004,
                    "needs " + std::to_string(bytes) + " bytes, has " + std::to_string(tensor.size));
    }
    const QHPI_OutputDef def = {kind.type, quantOf(tensor, kind.zero_shift), paddedRank(tensor.dims)};
    if (tensor.kind == TensorKind::kInput) addInput(tensor, kind, def);
    if (tensor.kind == TensorKind::kStatic) addConstant(tensor, kind, def);
    return Outcome();
  }

  // All graph inputs are outputs of one op, so its uses are those of all of them.
  void addInput(const TensorSpec& tensor, const Arrival& kind, const QHPI_OutputDef& def) {
    if (input_op_ == nullptr) input_op_ = graph_.add(OpKind::kInput, "<internal>");
    QHPI_OutputDef early = def;
    early.type = kind.early_type;
    early.quant_parameters = quantOf(tensor, 0);
    values_.push_back({tensor.name, {input_op_, static_cast<uint32_t>(input_op_->outputs.size())}});
    input_op_->outputs.push_back(def);
    input_op_->early_outputs.push_back(early);
  }

  void addConstant(const TensorSpec& tensor, const Arrival& kind, const QHPI_OutputDef& def) {
    QHPI_Op* op = graph_.add(OpKind::kConstant, "$Const");
    op->node = tensor.name;
    op->outputs.push_back(def);
    op->data.assign(tensor.data, tensor.data + tensor.size);
    shiftElements(&op->data, elementSize(kind.type), kind.zero_shift);
    values_.push_back({tensor.name, {op, 0}});
  }

  Outcome addNode(const NodeSpec& node) {
    const std::string name = node.package + "::" + node.type;
    const RegisteredOp* registered = findRegisteredOp(name);
    if (registered == nullptr) {
      return Outcome::error("finalize", kPrepareFailed, node.name + ": no op " + name + " was registered");
    }
    QHPI_Op* op = graph_.add(OpKind::kPackage, name);
    op->node = node.name;
    op->registered = registered;
    for (const std::string& input : node.inputs) {
      op->inputs.push_back(valueOf(input));
      if (op->inputs.back().op == nullptr)
        return refuse(node.name, 6000, "nothing has produced input " + input);
    }
    for (const ParamSpec& param : node.params) {
      op->inputs.push_back(paramConstant(param, node));
      if (op->inputs.back().op == nullptr) {
        return refuse(node.name, 6000, "param " + param.name + " has a data type that a backend refuses");
      }
    }
    for (const std::string& output : node.outputs) {
      const TensorSpec& tensor = *test_.find(output);
      const Arrival kind = arrival(tensor.dtype);
      values_.push_back({output, {op, static_cast<uint32_t>(op->outputs.size())}});
      op->outputs.push_back({kind.type, quantOf(tensor, kind.zero_shift), paddedRank(tensor.dims)});
    }
    return Outcome();
  }

  QHPI_OpRef paramConstant(const ParamSpec& param, const NodeSpec& node) {
    if (!param.scalar) return valueOf(param.tensor);
    QHPI_OutputDef def;
    std::vector<uint8_t> bytes;
    if (!scalarConstant(param, &def, &bytes)) return {nullptr, 0};
    QHPI_Op* op = graph_.add(OpKind::kConstant, "$Const");
    op->node = node.name + "." + param.name;
    op->outputs.push_back(def);
    op->data = bytes;
    return {op, 0};
  }

  const Case& test_;
  QhpiGraph& graph_;
  QHPI_Op* input_op_ = nullptr;
  std::vector<Value> values_;
};

}  // namespace

Outcome composeGraph(const Case& test, QhpiGraph* graph) { return Composer(test, graph).run(); }

void addTrace(CaseResult* result, const std::string& text) {
  if (settings().trace) result->trace.push_back(text);
}

}  // namespace opkg

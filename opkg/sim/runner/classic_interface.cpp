// The classic (DEF_PACKAGE_OP) interface of opkg-host: packages built with the headers of
// opkg/sim/include/HTP. SPDX-License-Identifier: Apache-2.0
#include <deque>
#include <memory>

#include "classic_call.h"
#include "interface.h"
#include "progress.h"

namespace opkg {
namespace {

constexpr uint64_t kPrepareFailed = 1002;

class ClassicInterface : public Interface {
 public:
  Outcome load(const Package& package) override { return registry_->load(package); }
  std::unique_ptr<Interface> another() const override {
    auto made = std::make_unique<ClassicInterface>();
    made->registry_ = registry_;
    return made;
  }
  Outcome prepare(const Package& package, const Case& test, CaseResult* result) override;
  Outcome execute(const Case& test, const CallStyle& style, CaseResult* result, Outputs* outputs) override;

 private:
  Outcome addTensors(const Case& test);
  Outcome addNode(const Case& test, const NodeSpec& node, CaseResult* result);
  Outcome addOperands(const Case& test, const NodeSpec& node, const ClassicOp& op, ClassicCall* call);
  ClassicValue* find(const std::string& name);

  std::shared_ptr<ClassicRegistry> registry_ = std::make_shared<ClassicRegistry>();
  std::deque<ClassicValue> values_;  // tensors of the case, then params: pointers into it stay valid
  std::vector<ClassicCall> calls_;
};

Outcome refuse(const char* stage, uint64_t code, const std::string& text) {
  return Outcome::error(stage, code, text);
}

ClassicValue* ClassicInterface::find(const std::string& name) {
  for (ClassicValue& value : values_) {
    if (value.name == name) return &value;
  }
  return nullptr;
}

Outcome ClassicInterface::addTensors(const Case& test) {
  for (const TensorSpec& tensor : test.tensors) {
    std::string error;
    values_.emplace_back();
    if (!makeValue(tensor, &values_.back(), &error)) return refuse("compose", 7004, error);
  }
  return Outcome();
}

// Outputs, inputs, and then the params as constants.
Outcome ClassicInterface::addOperands(const Case& test, const NodeSpec& node, const ClassicOp& op,
                                      ClassicCall* call) {
  for (const std::string& name : node.outputs) call->operands.push_back({find(name)});
  for (const std::string& name : node.inputs) call->operands.push_back({find(name)});
  for (const ClassicOperand& operand : call->operands) {
    if (operand.value == nullptr)
      return refuse("compose", 6000, node.name + ": an operand is no tensor of the case");
  }
  const uint32_t rank = node.inputs.empty() ? 0 : find(node.inputs[0])->rank;
  std::vector<ClassicValue> params;
  std::string error;
  if (!resolveParams(*registry_, op, test, node, rank, &params, &error)) {
    return refuse("compose", 6000, node.name + ": " + error);
  }
  for (ClassicValue& param : params) {
    param.name = node.name + "." + param.name;
    values_.push_back(std::move(param));
    call->operands.push_back({&values_.back()});
  }
  return Outcome();
}

Outcome ClassicInterface::addNode(const Case& test, const NodeSpec& node, CaseResult* result) {
  const std::string name = node.package + "::" + node.type;
  const ClassicOp* op = registry_->find(name);
  if (op == nullptr || op->kernels.empty()) {
    return refuse("finalize", kPrepareFailed, node.name + ": no kernel is registered for " + name);
  }
  ClassicCall call;
  call.node = node.name;
  progress().at("compose", node.name.c_str());
  const Outcome added = addOperands(test, node, *op, &call);
  if (!added.ok()) return added;
  progress().at("finalize", node.name.c_str());
  std::string error;
  call.kernel = selectKernel(*op, node.outputs.size(), &call.operands, &error);
  if (call.kernel == nullptr) return refuse("finalize", kPrepareFailed, node.name + ": " + error);
  result->kernels.push_back({node.name, node.type, kernelName(*call.kernel)});
  if (settings().trace) result->trace.push_back("kernel " + node.name + " " + kernelName(*call.kernel));
  calls_.push_back(std::move(call));
  return Outcome();
}

Outcome ClassicInterface::prepare(const Package&, const Case& test, CaseResult* result) {
  if (settings().trace) registry_->trace(&result->trace);
  progress().at("compose", "");
  Outcome outcome = addTensors(test);
  for (size_t i = 0; i < test.nodes.size() && outcome.ok(); i++)
    outcome = addNode(test, test.nodes[i], result);
  return outcome;
}

Outcome ClassicInterface::execute(const Case& test, const CallStyle& style, CaseResult* result, Outputs* outputs) {
  for (const TensorSpec& tensor : test.tensors) {
    if (tensor.kind != TensorKind::kInput) continue;
    ClassicValue& value = *find(tensor.name);
    value.bytes = inputBytes(tensor.data, tensor.size, htpTypeSize(value.dtype), style);
  }
  for (const ClassicCall& call : calls_) {
    for (size_t i = call.kernel->outputs; i < call.operands.size(); i++) {
      const ClassicValue& value = *call.operands[i].value;
      if (!value.known)
        return refuse("execute", 6000, call.node + ": nothing has produced input " + value.name);
    }
    const Outcome outcome = runKernel(call, style, &result->us);
    if (!outcome.ok()) return outcome;
  }
  for (const TensorSpec& tensor : test.tensors) {
    if (tensor.kind != TensorKind::kOutput) continue;
    const ClassicValue& value = *find(tensor.name);
    if (!value.known) return refuse("execute", 6000, "no node produces output " + tensor.name);
    outputs->push_back(value.bytes);
  }
  return Outcome();
}

}  // namespace

Interface* makeClassicInterface() { return new ClassicInterface; }

}  // namespace opkg

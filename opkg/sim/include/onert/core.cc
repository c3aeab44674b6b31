// Stand-in for the sources of onert's core that an operation's entries go into, and for running a graph.
#include "onert/core.h"

#include <algorithm>

#include "ir/Operations.Include.h"
//@ cpu_kernel_generator_include
#include "onert/runtime.h"

#define OP_REQUIRES(EXP)                                                               \
  do {                                                                                 \
    if (!(EXP)) throw std::runtime_error("failed at line " + std::to_string(__LINE__)); \
  } while (0)

namespace onert::ir {

std::string OperationDumper::last;

void Graph::verify() const {
  OperationValidator validator(*this);
  for (const auto& operation : operations_) operation->accept(validator);
}

//@ operation_validator_cc

using namespace operation;

static void dumpOpGeneric(const Operation& node, const std::string& adding_input = "") {
  OperationDumper::last = std::to_string(node.getInputs().size()) + " inputs " + adding_input;
}

//@ operation_dumper_cc

}  // namespace onert::ir

namespace onert::shape_inference {

ir::Shape inferEltwiseShape(const ir::Shape& lhs, const ir::Shape& rhs) {
  const int rank = std::max(lhs.rank(), rhs.rank());
  ir::Shape shape(rank);
  for (int i = 1; i <= rank; ++i) {
    const int32_t a = i <= lhs.rank() ? lhs.dim(lhs.rank() - i) : 1;
    const int32_t b = i <= rhs.rank() ? rhs.dim(rhs.rank() - i) : 1;
    if (a != b && a != 1 && b != 1) throw std::runtime_error("shapes do not broadcast");
    shape.dim(rank - i) = a == 1 ? b : a;
  }
  return shape;
}

//@ shape_inference_cc

}  // namespace onert::shape_inference

namespace onert::compiler {

//@ shape_validator_cc

void StaticShapeInferer::handleBinaryArithmeticOp(const ir::Operation& op, const ir::OperandIndex lhs, const ir::OperandIndex rhs) {
  auto& operands = _lowered_subg->graph().operands();
  const auto shape = shape_inference::inferEltwiseShape(operands.at(lhs).shape(), operands.at(rhs).shape());
  operands.at(op.getOutputs().at(0)).info().shape(shape);
}

void StaticShapeInferer::handleSimpleUnaryOp(const ir::Operation& op, const ir::OperandIndex input) {
  auto& operands = _lowered_subg->graph().operands();
  operands.at(op.getOutputs().at(0)).info().shape(operands.at(input).shape());
}

void StaticShapeInferer::infer() {
  auto& graph = _lowered_subg->graph();
  for (const auto& operation : graph.operations()) {
    bool dynamic = false;
    for (const auto& input : operation->getInputs()) {
      dynamic |= input.valid() && graph.operands().at(input).info().isDynamic();
    }
    if (!dynamic) operation->accept(*this);
    for (const auto& output : operation->getOutputs()) {
      if (dynamic) graph.operands().at(output).info().setDynamic();
    }
  }
}

//@ static_shape_inferer_cc

}  // namespace onert::compiler

namespace onert::exec {

void DynamicShapeInferer::handleBinaryArithmeticOp(const ir::Operation& op, const ir::OperandIndex lhs, const ir::OperandIndex rhs) {
  auto a = _tensor_registry->getITensor(lhs);
  auto b = _tensor_registry->getITensor(rhs);
  auto output = _tensor_registry->getITensor(op.getOutputs().at(0));
  if (!a->is_dynamic() && !b->is_dynamic() && !output->is_dynamic()) return;
  output->applyShape(shape_inference::inferEltwiseShape(a->getShape(), b->getShape()));
}

void DynamicShapeInferer::handleSimpleUnaryOp(const ir::Operation& op, const ir::OperandIndex input) {
  auto x = _tensor_registry->getITensor(input);
  if (!x->is_dynamic()) return;
  _tensor_registry->getITensor(op.getOutputs().at(0))->applyShape(x->getShape());
}

//@ dynamic_shape_inferer_cc

Execution::Execution(const std::shared_ptr<Executors>& executors)
    : executors_(executors), tensors_(std::make_shared<backend::ITensorRegistry>()) {
  const auto& operands = executors->graph->operands();
  for (uint32_t i = 0; i < operands.size(); ++i) {
    const auto& operand = operands.at(ir::OperandIndex(i));
    tensors_->tensors.push_back(std::make_unique<backend::IPortableTensor>(operand.info()));
    auto& bytes = tensors_->tensors.back()->bytes;
    bytes.assign(operand.info().total_size(), 0);
    if (operand.isConstant()) std::memcpy(bytes.data(), operand.data()->base(), bytes.size());
  }
  results_.resize(executors->graph->getOutputs().size());
}

void Execution::changeInputShape(const ir::IOIndex& index, const ir::Shape& shape) {
  tensors_->getITensor(executors_->graph->getInputs().at(index))->applyShape(shape);
}

void Execution::setInput(const ir::IOIndex& index, const void* buffer, size_t length) {
  auto* tensor = tensors_->getPortableTensor(executors_->graph->getInputs().at(index));
  if (length < tensor->bytes.size()) throw std::runtime_error("too small an input");
  std::memcpy(tensor->bytes.data(), buffer, tensor->bytes.size());
}

void Execution::setOutput(const ir::IOIndex& index, void* buffer, size_t length) {
  results_.at(index.value()) = {buffer, length};
}

const ir::OperandInfo& Execution::outputInfo(const ir::IOIndex& index) {
  return tensors_->getPortableTensor(executors_->graph->getOutputs().at(index))->get_info();
}

void Execution::execute() {
  const auto& graph = *executors_->graph;
  DynamicShapeInferer inferer(tensors_);
  for (const auto& operation : graph.operations()) {
    ir::OperationDumper dumper;
    operation->accept(dumper);
    operation->accept(inferer);
    backend::cpu::Validator validator;
    operation->accept(validator);
    if (!validator._supported) throw std::runtime_error("no backend takes it");
    backend::cpu::KernelGenerator generator;
    generator._tensor_reg = tensors_;
    operation->accept(generator);
    generator._return_fn->run();
  }
  for (uint32_t i = 0; i < results_.size(); ++i) {
    const auto* tensor = tensors_->getPortableTensor(graph.getOutputs().at(i));
    if (results_[i].size < tensor->bytes.size()) throw std::runtime_error("too small an output");
    std::memcpy(results_[i].data, tensor->bytes.data(), tensor->bytes.size());
  }
}

}  // namespace onert::exec

namespace onert::compiler {

CompilerFactory& CompilerFactory::get() {
  static CompilerFactory factory;
  return factory;
}

std::unique_ptr<CompilerArtifact> ICompiler::compile() {
  auto graph = package_->graph();
  StaticShapeInferer(*graph).infer();
  ShapeValidator validator(*graph);
  for (const auto& operation : graph->operations()) operation->accept(validator);
  return std::make_unique<CompilerArtifact>(CompilerArtifact{std::make_shared<exec::Executors>(exec::Executors{graph})});
}

}  // namespace onert::compiler

namespace onert::backend::cpu {

//@ cpu_kernel_generator_cc

}  // namespace onert::backend::cpu

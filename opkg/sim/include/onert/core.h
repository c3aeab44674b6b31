// Stand-in for the classes of onert's core that visit operations. A line `//@ place` is where an operation's entry goes.
#ifndef OPKG_ONERT_CORE_H_
#define OPKG_ONERT_CORE_H_

#include "onert/ir.h"
#include "onert/tensors.h"

namespace onert::ir {

class OperationValidator : public OperationVisitor {
 public:
  explicit OperationValidator(const Graph& graph) : _operands(graph.operands()) {}
  //@ operation_validator_h

 private:
  DataType operandType(const OperandIndex& index) const { return _operands.at(index).typeInfo().type(); }
  bool isConstant(const OperandIndex& index) const { return _operands.at(index).isConstant(); }
  bool isSameType(const OperandIndex& a, const OperandIndex& b) const { return operandType(a) == operandType(b); }
  bool isSameQuantParam(const OperandIndex& a, const OperandIndex& b) const {
    const auto& x = _operands.at(a).typeInfo();
    const auto& y = _operands.at(b).typeInfo();
    return x.scale() == y.scale() && x.zero_point() == y.zero_point();
  }
  bool isValidType(const OperandIndex& index, const DataType& type) const { return operandType(index) == type; }
  bool isValidType(const OperandIndex& index, std::initializer_list<DataType> types) const {
    for (const auto type : types) {
      if (operandType(index) == type) return true;
    }
    return false;
  }

  const Operands& _operands;
};

class OperationDumper : public OperationVisitor {
 public:
  //@ operation_dumper_h
  static std::string last;
};

}  // namespace onert::ir

namespace onert::shape_inference {

ir::Shape inferEltwiseShape(const ir::Shape& lhs, const ir::Shape& rhs);
//@ shape_inference_h

}  // namespace onert::shape_inference

namespace onert::compiler {

class ShapeValidator : public ir::OperationVisitor {
 public:
  explicit ShapeValidator(const ir::Graph& graph) : _graph(graph) {}
  //@ shape_validator_h

 private:
  const ir::Graph& _graph;
};

struct LoweredGraph {
  ir::Graph& graph() { return *of; }
  ir::Graph* of;
};

class StaticShapeInferer : public ir::OperationVisitor {
 public:
  explicit StaticShapeInferer(ir::Graph& graph) : lowered_{&graph}, _lowered_subg(&lowered_), _operands(graph.operands()) {}
  void infer();

 private:
  void handleBinaryArithmeticOp(const ir::Operation& op, const ir::OperandIndex lhs, const ir::OperandIndex rhs);
  void handleSimpleUnaryOp(const ir::Operation& op, const ir::OperandIndex input);
  //@ static_shape_inferer_h

  LoweredGraph lowered_;
  LoweredGraph* _lowered_subg;
  ir::Operands& _operands;
};

}  // namespace onert::compiler

namespace onert::exec {

class DynamicShapeInferer : public ir::OperationVisitor {
 public:
  explicit DynamicShapeInferer(const std::shared_ptr<backend::ITensorRegistry>& registry) : _tensor_registry(registry) {}
  //@ dynamic_shape_inferer_h

 private:
  void handleBinaryArithmeticOp(const ir::Operation& op, const ir::OperandIndex lhs, const ir::OperandIndex rhs);
  void handleSimpleUnaryOp(const ir::Operation& op, const ir::OperandIndex input);

  std::shared_ptr<backend::ITensorRegistry> _tensor_registry;
};

}  // namespace onert::exec

#endif  // OPKG_ONERT_CORE_H_

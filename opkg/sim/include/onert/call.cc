// One call of one operation through a graph of onert's stand-in, for programs that load this as a library.
#include <cstdio>

#include "ir/Operations.Include.h"
#include "onert/runtime.h"

namespace ir = onert::ir;

struct CallOperand {
  int32_t type, rank, dims[8];
  float scale;
  int32_t zero_point;
  int32_t kind;  // 0: absent, 1: given, 2: a constant
  void* data;
  size_t size;
};

std::unique_ptr<ir::Operation> make_operation(int32_t number, const ir::OperandIndexSequence& inputs, const ir::OperandIndexSequence& outputs, const double* numbers);

static void call(int32_t number, CallOperand* operands, int32_t inputs, int32_t outputs, const double* numbers, bool dynamic, int32_t& stage) {
  auto graph = std::make_unique<ir::Graph>();
  ir::OperandIndexSequence sources, results;
  for (int32_t i = 0; i < inputs + outputs; ++i) {
    const auto& o = operands[i];
    auto& sequence = i < inputs ? sources : results;
    if (o.kind == 0) {
      sequence.append(ir::OperandIndex());
      continue;
    }
    ir::Shape shape;
    for (int32_t k = 0; k < o.rank; ++k) shape.append(o.dims[k]);
    const auto index = graph->addOperand(shape, ir::TypeInfo(static_cast<ir::DataType>(o.type), o.scale, o.zero_point));
    sequence.append(index);
    auto& operand = graph->operands().at(index);
    if (i < inputs && (dynamic && o.kind == 1)) operand.info().setDynamic();
    if (o.kind == 2) operand.data(std::make_shared<ir::CachedData>(static_cast<const uint8_t*>(o.data), o.size));
    if (i >= inputs) graph->addOutput(index);
    else if (o.kind == 1) graph->addInput(index);
  }
  stage = 1;
  graph->addOperation(make_operation(number, sources, results, numbers));
  graph->verify();
  stage = 2;
  auto model = std::make_unique<ir::Model>();
  model->push(ir::SubgraphIndex(0), std::move(graph));
  auto options = onert::compiler::CompilerOptions::fromGlobalConfig();
  auto compiler = onert::compiler::CompilerFactory::get().create(std::make_unique<ir::NNPkg>(std::move(model)), options.get());
  const auto artifact = compiler->compile();
  stage = 3;
  onert::exec::Execution execution(artifact->_executors);
  uint32_t place = 0;
  for (int32_t i = 0; i < inputs; ++i) {
    if (operands[i].kind == 1) execution.setInput(ir::IOIndex(place++), operands[i].data, operands[i].size);
  }
  for (int32_t i = 0; i < outputs; ++i) {
    execution.setOutput(ir::IOIndex(i), operands[inputs + i].data, operands[inputs + i].size);
  }
  const auto report = [&] {
    for (int32_t i = 0; i < outputs; ++i) {
      const auto& shape = execution.outputInfo(ir::IOIndex(i)).shape();
      operands[inputs + i].rank = shape.rank();
      for (int32_t k = 0; k < shape.rank() && k < 8; ++k) operands[inputs + i].dims[k] = shape.dim(k);
    }
  };
  report();
  execution.execute();
  report();
  stage = 0;
}

// 0, or the stage that refused: 1 the class or OperationValidator, 2 shape inference or ShapeValidator, 3 execution.
extern "C" int32_t onert_call(int32_t number, CallOperand* operands, int32_t inputs, int32_t outputs, const double* numbers, int32_t dynamic, char* message) {
  int32_t stage = 0;
  try {
    call(number, operands, inputs, outputs, numbers, dynamic != 0, stage);
  } catch (const std::exception& failure) {
    std::snprintf(message, 200, "%s", failure.what());
  }
  return stage;
}

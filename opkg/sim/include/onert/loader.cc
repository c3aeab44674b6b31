// Stand-in for the sources that a loader's entries go into, and for running a generated model.
#include "onert/loader.h"

#include "onert/gtest.h"

namespace onert::loader {

//@ base_loader_definition

//@ base_loader_template
void BaseLoader<LoaderDomain /*@ base_loader_more */>::loadOperation(const Operator* op, ir::Graph& subg) {
  switch (op->code) {
    //@ base_loader_case
    default:
      loadCustom(op, subg);
  }
}

//@ base_loader_template
void BaseLoader<LoaderDomain /*@ base_loader_more */>::loadCustom(const Operator* op, ir::Graph& subg) {
  enum class BuiltinOP {
    None,
    //@ base_custom_enum
  };
  const std::map<std::string, BuiltinOP> builtin_map = {
    {"", BuiltinOP::None},
    //@ base_custom_map
  };
  (void)subg;
  switch (builtin_map.at(op->custom_code)) {
      //@ base_custom_switch
    default:
      throw std::runtime_error("no such operator");
  }
}

//@ circle_builtin_definition

//@ circle_custom_definition

void CircleLoader::loadCustom(const Operator* op, ir::Graph& subg) {
  enum class BuiltinOP {
    None,
    //@ circle_custom_enum
  };
  const std::map<std::string, BuiltinOP> builtin_map = {
    {"", BuiltinOP::None},
    //@ circle_custom_map
  };
  const auto found = builtin_map.find(op->custom_code);
  switch (found == builtin_map.end() ? BuiltinOP::None : found->second) {
    //@ circle_custom_switch
    default:
      BaseLoader::loadCustom(op, subg);
  }
}

}  // namespace onert::loader

//@ circle_gen_cc

namespace ir = onert::ir;

static ir::DataType type_of(circle::TensorType type) {
  switch (type) {
    case circle::TensorType::TensorType_INT32: return ir::DataType::INT32;
    case circle::TensorType::TensorType_INT64: return ir::DataType::INT64;
    case circle::TensorType::TensorType_UINT32: return ir::DataType::UINT32;
    case circle::TensorType::TensorType_BOOL: return ir::DataType::BOOL8;
    case circle::TensorType::TensorType_UINT8: return ir::DataType::QUANT_UINT8_ASYMM;
    case circle::TensorType::TensorType_INT8: return ir::DataType::QUANT_INT8_ASYMM;
    case circle::TensorType::TensorType_INT16: return ir::DataType::QUANT_INT16_SYMM;
    default: return ir::DataType::FLOAT32;
  }
}

static std::unique_ptr<ir::Graph> loaded(const CircleGen& model) {
  auto graph = std::make_unique<ir::Graph>();
  for (const auto& tensor : model.tensors) {
    ir::Shape shape;
    for (const int32_t dim : tensor.params.shape) shape.append(dim);
    const ir::TypeInfo type(type_of(tensor.params.tensor_type), tensor.scale, static_cast<int32_t>(tensor.zero_point));
    const auto index = graph->addOperand(shape, type);
    const auto& bytes = model.buffers.at(tensor.params.buffer);
    if (tensor.params.buffer != 0) graph->operands().at(index).data(std::make_shared<ir::CachedData>(bytes.data(), bytes.size()));
  }
  for (const int index : model.inputs) graph->addInput(ir::OperandIndex(static_cast<uint32_t>(index)));
  for (const int index : model.outputs) graph->addOutput(ir::OperandIndex(static_cast<uint32_t>(index)));
  onert::loader::CircleLoader loader;
  for (const auto& op : model.operators) loader.loadOperation(&op, *graph);
  graph->verify();
  return graph;
}

void GenModelTestContext::run() const {
  if (fails_) {
    EXPECT_THROW(loaded(model_), std::exception);
    return;
  }
  auto model = std::make_unique<ir::Model>();
  model->push(ir::SubgraphIndex(0), loaded(model_));
  auto compiler = onert::compiler::CompilerFactory::get().create(std::make_unique<ir::NNPkg>(std::move(model)), nullptr);
  const auto artifact = compiler->compile();
  for (const auto& data : cases_) {
    onert::exec::Execution execution(artifact->_executors);
    uint32_t place = 0;
    for (const auto& bytes : data.inputs) execution.setInput(ir::IOIndex(place++), bytes.data(), bytes.size());
    std::vector<std::vector<uint8_t>> results;
    for (const auto& bytes : data.outputs) results.emplace_back(bytes.size());
    place = 0;
    for (auto& bytes : results) execution.setOutput(ir::IOIndex(place++), bytes.data(), bytes.size());
    execution.execute();
    EXPECT_EQ(results, data.outputs);
  }
}

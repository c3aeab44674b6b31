// Stand-in for loading operators: flexbuffers, tables of options, both loaders, and the generator of test models.
#ifndef OPKG_ONERT_LOADER_H_
#define OPKG_ONERT_LOADER_H_

#include <map>

#include "ir/Operations.Include.h"
#include "onert/runtime.h"

namespace flexbuffers {

// A value: null, numbers of one kind, or a list of them.
struct Reference {
  bool IsNull() const { return numbers.empty(); }
  bool GetType() const { return list; }
  float AsFloat() const { return static_cast<float>(numbers.at(0)); }
  int32_t AsInt32() const { return static_cast<int32_t>(numbers.at(0)); }
  uint32_t AsUInt32() const { return static_cast<uint32_t>(numbers.at(0)); }
  int64_t AsInt64() const { return static_cast<int64_t>(numbers.at(0)); }
  uint64_t AsUInt64() const { return static_cast<uint64_t>(numbers.at(0)); }
  bool AsBool() const { return numbers.at(0) != 0; }
  std::vector<Reference> AsTypedVector() const {
    std::vector<Reference> all;
    for (const double number : numbers) all.push_back({{number}, false});
    return all;
  }
  std::vector<Reference> AsVector() const { return AsTypedVector(); }

  std::vector<double> numbers;
  bool list = false;
};

inline bool IsTypedVector(bool list) { return list; }

struct Map {
  const Reference& operator[](const char* key) const {
    static const Reference null;
    const auto found = values.find(key);
    return found == values.end() ? null : found->second;
  }
  const Map* Data() const { return this; }
  size_t size() const { return values.size(); }
  const Map& AsMap() const { return *this; }
  std::map<std::string, Reference> values;
};
inline const Map& GetRoot(const Map* data, size_t) { return *data; }

struct Builder {
  size_t StartMap() { return 0; }
  void EndMap(size_t) {}
  void Finish() {}
  void Float(const char* key, float value) { map.values[key] = {{value}, false}; }
  void Int(const char* key, int64_t value) { map.values[key] = {{static_cast<double>(value)}, false}; }
  void UInt(const char* key, uint64_t value) { map.values[key] = {{static_cast<double>(value)}, false}; }
  void Bool(const char* key, bool value) { map.values[key] = {{value ? 1.0 : 0.0}, false}; }
  template <typename T>
  void Vector(const char* key, const T* list, size_t size) {
    map.values[key] = {std::vector<double>(list, list + size), true};
  }
  const Map& GetBuffer() const { return map; }
  Map map;
};

}  // namespace flexbuffers

namespace flatbuffers {

// A finished table of options, or none.
template <typename T>
struct Offset {
  Offset(int = 0) {}
  explicit Offset(std::shared_ptr<T> made) : table(std::move(made)) {}
  Offset<void> Union() const { return Offset<void>(table); }
  std::shared_ptr<T> table;
};

// Makes lists for tables of options.
struct FlatBufferBuilder {
  template <typename T>
  const std::vector<T>* CreateVector(const std::vector<T>& list) {
    return static_cast<const std::vector<T>*>(kept.emplace_back(std::make_shared<std::vector<T>>(list)).get());
  }
  std::vector<std::shared_ptr<void>> kept;
};

}  // namespace flatbuffers

namespace circle {

enum BuiltinOperator {
  BuiltinOperator_CUSTOM,
  //@ schema_operators
};
enum BuiltinOptions {
  BuiltinOptions_NONE,
  //@ schema_options
};
enum class CustomOptionsFormat { CustomOptionsFormat_FLEXBUFFERS };
enum class TensorType {
  TensorType_FLOAT32, TensorType_INT32, TensorType_INT64, TensorType_UINT32, TensorType_BOOL, TensorType_UINT8, TensorType_INT8,
  TensorType_INT16
};

//@ schema_tables

struct Operator {
  const flexbuffers::Map* custom_options() const { return &options; }
  //@ schema_accessors
  std::string custom_code;
  std::vector<int32_t> inputs, outputs;
  flexbuffers::Map options;
  BuiltinOperator code = BuiltinOperator_CUSTOM;
  BuiltinOptions kind = BuiltinOptions_NONE;
  std::shared_ptr<void> table;
};

}  // namespace circle

namespace onert::loader {

//@ base_loader_template
class BaseLoader {
 public:
  using Operator = typename LoaderDomain::Operator;
  using BuiltinOperator = typename LoaderDomain::BuiltinOperator;
  void loadOperation(const Operator* op, ir::Graph& subg);
  void loadCustom(const Operator* op, ir::Graph& subg);

 protected:
  void loadOperationIO(const Operator* op, ir::OperandIndexSequence& inputs, ir::OperandIndexSequence& outputs) {
    for (const int32_t index : op->inputs) inputs.append(index < 0 ? ir::OperandIndex() : ir::OperandIndex(static_cast<uint32_t>(index)));
    for (const int32_t index : op->outputs) outputs.append(ir::OperandIndex(static_cast<uint32_t>(index)));
  }
  const flexbuffers::Map& getCustomOpAttrMap(const Operator* op) { return op->options; }
  //@ base_loader_declaration
};

struct LoaderDomain {
  using Operator = circle::Operator;
  using BuiltinOperator = circle::BuiltinOperator;
};

//@ base_loader_derived
{
 public:
  void loadOperation(const circle::Operator* op, ir::Graph& subg) {
    switch (op->code) {
      //@ circle_builtin_case
      case circle::BuiltinOperator::BuiltinOperator_CUSTOM:
        loadCustom(op, subg);
        return;
      default:
        BaseLoader::loadOperation(op, subg);
        return;
    }
  }

 private:
  void loadCustom(const Operator* op, ir::Graph& subg);
  //@ circle_custom_declaration
  //@ circle_builtin_declaration
};

}  // namespace onert::loader

class CircleGen {
 public:
  struct TensorParams {
    std::vector<int32_t> shape;
    circle::TensorType tensor_type = circle::TensorType::TensorType_FLOAT32;
    uint32_t buffer = 0;
  };
  struct OperatorParams {
    std::vector<int32_t> inputs;
    std::vector<int32_t> outputs;
  };
  struct Tensor {
    TensorParams params;
    float scale;
    int64_t zero_point;
  };
  CircleGen() : buffers(1) {}
  template <typename T>
  uint32_t addBuffer(const std::vector<T>& values) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
    buffers.emplace_back(bytes, bytes + values.size() * sizeof(T));
    return static_cast<uint32_t>(buffers.size() - 1);
  }
  uint32_t addTensor(const TensorParams& params, float scale = 0, int64_t zero_point = 0) {
    tensors.push_back({params, scale, zero_point});
    return static_cast<uint32_t>(tensors.size() - 1);
  }
  void setInputsAndOutputs(const std::vector<int>& ins, const std::vector<int>& outs) {
    inputs = ins;
    outputs = outs;
  }
  CircleGen finish() { return *this; }
  //@ circle_gen_h

  std::vector<std::vector<uint8_t>> buffers;
  std::vector<Tensor> tensors;
  std::vector<circle::Operator> operators;
  std::vector<int> inputs, outputs;

 private:
  uint32_t addOperatorWithOptions(const OperatorParams& params, circle::BuiltinOperator code, circle::BuiltinOptions kind,
                                  flatbuffers::Offset<void> options) {
    operators.push_back({"", params.inputs, params.outputs, {}, code, kind, options.table});
    return static_cast<uint32_t>(operators.size() - 1);
  }
  uint32_t addCustomOperatorWithOptions(const OperatorParams& params, std::string code, circle::BuiltinOptions kind,
                                        flatbuffers::Offset<void>, const flexbuffers::Map* options,
                                        circle::CustomOptionsFormat, const std::vector<uint8_t>*, const std::vector<int32_t>*) {
    operators.push_back({std::move(code), params.inputs, params.outputs, *options, circle::BuiltinOperator_CUSTOM, kind, nullptr});
    return static_cast<uint32_t>(operators.size() - 1);
  }

  flatbuffers::FlatBufferBuilder _fbb;
};

struct TestCaseData {
  template <typename T>
  void addInput(const std::vector<T>& values) { add(inputs, values); }
  template <typename T>
  void addOutput(const std::vector<T>& values) { add(outputs, values); }
  template <typename T>
  static void add(std::vector<std::vector<uint8_t>>& to, const std::vector<T>& values) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
    to.emplace_back(bytes, bytes + values.size() * sizeof(T));
  }
  std::vector<std::vector<uint8_t>> inputs, outputs;
};

// Loads the model, and runs what was added to it when the test ends.
class GenModelTestContext {
 public:
  explicit GenModelTestContext(CircleGen&& model) : model_(std::move(model)) {}
  void addTestCase(const TestCaseData& data) { cases_.push_back(data); }
  void setBackends(const std::vector<std::string>&) {}
  void expectFailModelLoad() { fails_ = true; }
  void run() const;

 private:
  CircleGen model_;
  std::vector<TestCaseData> cases_;
  bool fails_ = false;
};

#endif  // OPKG_ONERT_LOADER_H_

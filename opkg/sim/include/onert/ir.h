// Stand-in for onert's IR: names and signatures as generated operations use them, and just enough behind them to run.
// Written from facts about runtime/onert/core of Samsung/ONE at de7f4736; no line of it is theirs.
#ifndef OPKG_ONERT_IR_H_
#define OPKG_ONERT_IR_H_

#include <cassert>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace onert::ir {

enum class DataType { FLOAT32, INT32, UINT32, QUANT_UINT8_ASYMM, BOOL8, UINT8, QUANT_INT8_SYMM, FLOAT16, INT64,
                      QUANT_INT8_ASYMM, QUANT_INT16_ASYMM, QUANT_INT8_SYMM_PER_CHANNEL, QUANT_INT16_SYMM };

inline size_t sizeOfDataType(DataType type) {
  switch (type) {
    case DataType::INT64: return 8;
    case DataType::FLOAT32: case DataType::INT32: case DataType::UINT32: return 4;
    case DataType::FLOAT16: case DataType::QUANT_INT16_ASYMM: case DataType::QUANT_INT16_SYMM: return 2;
    default: return 1;
  }
}

struct Shape {
  Shape() = default;
  explicit Shape(int rank) : dims_(rank) {}
  Shape(std::initializer_list<int32_t> dims) : dims_(dims) {}

  int rank() const { return static_cast<int>(dims_.size()); }
  const std::vector<int32_t>& dims() const { return dims_; }
  int32_t dim(int i) const { return dims_.at(i); }
  int32_t& dim(int i) { return dims_.at(i); }
  void append(int32_t d) { dims_.push_back(d); }
  size_t num_elements() const {
    size_t count = 1;
    for (const int32_t d : dims_) count *= static_cast<size_t>(d);
    return count;
  }

 private:
  std::vector<int32_t> dims_;
};
inline bool operator==(const Shape& a, const Shape& b) { return a.dims() == b.dims(); }
inline bool operator!=(const Shape& a, const Shape& b) { return a.dims() != b.dims(); }

class TypeInfo {
 public:
  explicit TypeInfo(DataType type, float scale = 0, int32_t zero_point = 0) : type_(type), scale_(scale), zero_(zero_point) {}
  DataType type() const { return type_; }
  float scale() const { return scale_; }
  int32_t zero_point() const { return zero_; }

 private:
  DataType type_;
  float scale_;
  int32_t zero_;
};

class OperandInfo {
 public:
  OperandInfo(const Shape& shape, const TypeInfo& type) : shape_(shape), type_(type) {}
  const Shape& shape() const { return shape_; }
  void shape(const Shape& shape) { shape_ = shape; }
  const TypeInfo& typeInfo() const { return type_; }
  bool isDynamic() const { return dynamic_; }
  void setDynamic() { dynamic_ = true; }
  size_t total_size() const { return shape_.num_elements() * sizeOfDataType(type_.type()); }

 private:
  Shape shape_;
  TypeInfo type_;
  bool dynamic_ = false;
};

struct Data {
  virtual ~Data() = default;
  virtual const uint8_t* base() const = 0;
};
struct CachedData final : Data {
  CachedData(const uint8_t* base, size_t size) : bytes(base, base + size) {}
  const uint8_t* base() const override { return bytes.data(); }
  std::vector<uint8_t> bytes;
};

class Operand {
 public:
  Operand(const Shape& shape, const TypeInfo& type) : info_(shape, type) {}
  const Shape& shape() const { return info_.shape(); }
  const TypeInfo& typeInfo() const { return info_.typeInfo(); }
  OperandInfo& info() { return info_; }
  const OperandInfo& info() const { return info_; }
  bool isConstant() const { return data_ != nullptr; }
  void data(std::shared_ptr<Data>&& data) { data_ = std::move(data); }
  const Data* data() const { return data_.get(); }

 private:
  OperandInfo info_;
  std::shared_ptr<Data> data_;
};

template <int kTag>
class Index {
 public:
  Index() : value_(std::numeric_limits<uint32_t>::max()) {}
  explicit Index(uint32_t value) : value_(value) {}
  uint32_t value() const { return value_; }
  bool undefined() const { return value_ == std::numeric_limits<uint32_t>::max(); }
  bool valid() const { return !undefined(); }

 private:
  uint32_t value_;
};
using OperandIndex = Index<0>;
using IOIndex = Index<1>;
using SubgraphIndex = Index<2>;

class OperandIndexSequence {
 public:
  OperandIndexSequence() = default;
  OperandIndexSequence(std::initializer_list<OperandIndex> list) : list_(list) {}
  OperandIndexSequence(std::initializer_list<uint32_t> list) {
    for (const uint32_t value : list) append(OperandIndex(value));
  }
  void append(const OperandIndex& index) { list_.push_back(index); }
  uint32_t size() const { return static_cast<uint32_t>(list_.size()); }
  const OperandIndex& at(uint32_t place) const { return list_.at(place); }
  const OperandIndex& at(IOIndex place) const { return list_.at(place.value()); }
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }

 private:
  std::vector<OperandIndex> list_;
};

class OperandConstraint {
 public:
  static OperandConstraint createAny() { return {0, std::numeric_limits<uint32_t>::max()}; }
  static OperandConstraint createExact(uint32_t exact) { return {exact, exact}; }
  static OperandConstraint createInRange(uint32_t begin, uint32_t end) { return {begin, end}; }
  bool check(uint32_t count) const { return begin_ <= count && count <= end_; }

 private:
  OperandConstraint(uint32_t begin, uint32_t end) : begin_(begin), end_(end) {}
  uint32_t begin_, end_;
};

enum class OpCode {
#define OP(Name) Name,
#include "ir/Operations.lst"
#undef OP
  COUNT
};

struct OperationVisitor;

class Operation {
 public:
  Operation(OperandConstraint wanted, const OperandIndexSequence& inputs, const OperandIndexSequence& outputs,
            OperandConstraint output_constr = OperandConstraint::createExact(1u))
      : inputs_(inputs), outputs_(outputs) {
    if (!wanted.check(inputs.size())) throw std::runtime_error("wrong number of inputs");
    if (!output_constr.check(outputs.size())) throw std::runtime_error("wrong number of outputs");
  }
  virtual ~Operation() = default;
  virtual void accept(OperationVisitor& v) const = 0;
  virtual OpCode opcode() const = 0;
  const OperandIndexSequence& getInputs() const { return inputs_; }
  const OperandIndexSequence& getOutputs() const { return outputs_; }

 private:
  OperandIndexSequence inputs_, outputs_;
};

namespace operation {
#define OP(Name) class Name;
#include "ir/Operations.lst"
#undef OP
}  // namespace operation

struct OperationVisitor {
  virtual ~OperationVisitor() = default;
#define OP(Name) \
  virtual void visit(const operation::Name&) {}
#include "ir/Operations.lst"
#undef OP
};

class Operands {
 public:
  Operand& at(const OperandIndex& index) { return list_.at(index.value()); }
  const Operand& at(const OperandIndex& index) const { return list_.at(index.value()); }
  bool exist(const OperandIndex& index) const { return index.value() < list_.size(); }
  OperandIndex push(Operand&& operand) {
    list_.push_back(std::move(operand));
    return OperandIndex(static_cast<uint32_t>(list_.size() - 1));
  }
  size_t size() const { return list_.size(); }

 private:
  std::vector<Operand> list_;
};

class Graph {
 public:
  OperandIndex addOperand(const Shape& shape, const TypeInfo& type) { return operands_.push(Operand(shape, type)); }
  void addOperation(std::unique_ptr<Operation>&& operation) { operations_.push_back(std::move(operation)); }
  void addInput(const OperandIndex& index) { inputs_.append(index); }
  void addOutput(const OperandIndex& index) { outputs_.append(index); }
  void verify() const;
  Operands& operands() { return operands_; }
  const Operands& operands() const { return operands_; }
  const std::vector<std::shared_ptr<Operation>>& operations() const { return operations_; }
  const OperandIndexSequence& getInputs() const { return inputs_; }
  const OperandIndexSequence& getOutputs() const { return outputs_; }

 private:
  Operands operands_;
  std::vector<std::shared_ptr<Operation>> operations_;
  OperandIndexSequence inputs_, outputs_;
};

class Model {
 public:
  void push(SubgraphIndex, std::shared_ptr<Graph> graph) { graph_ = std::move(graph); }
  const std::shared_ptr<Graph>& graph() const { return graph_; }

 private:
  std::shared_ptr<Graph> graph_;
};

class NNPkg {
 public:
  explicit NNPkg(std::shared_ptr<Model> model) : model_(std::move(model)) {}
  const std::shared_ptr<Graph>& graph() const { return model_->graph(); }

 private:
  std::shared_ptr<Model> model_;
};

}  // namespace onert::ir

#endif  // OPKG_ONERT_IR_H_

// Stand-in for onert's tensors, layers and the cpu backend's visitors.
#ifndef OPKG_ONERT_TENSORS_H_
#define OPKG_ONERT_TENSORS_H_

#include "onert/ir.h"

namespace onert::exec {
struct IFunction {
  virtual ~IFunction() = default;
  virtual void run() = 0;
};
}  // namespace onert::exec

namespace onert::backend {

class ITensor {
 public:
  virtual ~ITensor() = default;
  virtual uint8_t* buffer() const = 0;
  virtual ir::DataType data_type() const = 0;
  virtual float data_scale() const = 0;
  virtual int32_t data_zero_point() const = 0;
  virtual ir::Shape getShape() const = 0;
  virtual bool is_dynamic() const = 0;
  virtual bool applyShape(const ir::Shape& shape) = 0;
};

class IPortableTensor : public ITensor {
 public:
  explicit IPortableTensor(const ir::OperandInfo& info) : _info(info) {}
  const ir::OperandInfo& get_info() const { return _info; }
  uint8_t* buffer() const override { return const_cast<uint8_t*>(bytes.data()); }
  ir::DataType data_type() const override { return _info.typeInfo().type(); }
  float data_scale() const override { return _info.typeInfo().scale(); }
  int32_t data_zero_point() const override { return _info.typeInfo().zero_point(); }
  ir::Shape getShape() const override { return _info.shape(); }
  bool is_dynamic() const override { return _info.isDynamic(); }
  bool applyShape(const ir::Shape& shape) override {
    _info.shape(shape);
    _info.setDynamic();
    bytes.assign(_info.total_size(), 0);
    return true;
  }

  std::vector<uint8_t> bytes;

 private:
  ir::OperandInfo _info;
};

class ITensorRegistry {
 public:
  ITensor* getITensor(const ir::OperandIndex& index) { return getPortableTensor(index); }
  IPortableTensor* getPortableTensor(const ir::OperandIndex& index) { return tensors.at(index.value()).get(); }
  std::vector<std::unique_ptr<IPortableTensor>> tensors;
};

}  // namespace onert::backend

namespace onert::backend::cpu {

class Validator : public ir::OperationVisitor {
 public:
#define OP(Name) void visit(const ir::operation::Name&) override;
#include "Operation.lst"
#undef OP
  //@ cpu_validator_h
  bool _supported = false;
};

class KernelGenerator : public ir::OperationVisitor {
 public:
#define OP(Name) void visit(const ir::operation::Name&) override;
#include "Operation.lst"
#undef OP
  //@ cpu_kernel_generator_h
  std::shared_ptr<ITensorRegistry> _tensor_reg;
  std::unique_ptr<exec::IFunction> _return_fn;
};

}  // namespace onert::backend::cpu

using OperandType = onert::ir::DataType;

#endif  // OPKG_ONERT_TENSORS_H_

// Everything that packages are known to use, once: compiled with both compilers and every SDK profile, not
// run. SPDX-License-Identifier: Apache-2.0
#include "HAP_farf.h"
#include "HTP/core/constraints.h"
#include "HTP/core/intrinsics.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "HTP/core/tensor.h"
#include "QnnOpPackage.h"
#include "hvx_hexagon_protos.h"
#include "hvx_internal.h"
#include "qhmath_hvx.h"

static_assert(GraphStatus::Success == 0 && GraphStatus::ErrorFatal == -1 &&
                  GraphStatus::ErrorDimensions == 2 && GraphStatus::ErrorPrecision == 3 &&
                  GraphStatus::ErrorNAN == 4 && GraphStatus::ErrorNoTCM == 5 &&
                  GraphStatus::ErrorNoSpace == 6 && GraphStatus::ErrorUnsupported == 7 &&
                  GraphStatus::ErrorSequence == 8 && GraphStatus::ErrorBadID == 9 &&
                  GraphStatus::ErrorBadInput == 10,
              "status numbers");
#if defined(OPKG_SIM_SDK) && OPKG_SIM_SDK < 243
static_assert(ErrorRank == 1, "2.25");
#else
static_assert(ErrorRank == 31 && int(DType::BFloat16) == 10, "2.43");
#endif
static_assert(int(DType::QUInt8) == 1 && int(DType::QUInt16) == 2 && int(DType::QInt16) == 3 &&
                  int(DType::Float32) == 4 && int(DType::Int32) == 5 && int(DType::QInt32) == 6 &&
                  int(DType::QInt8) == 7 && int(DType::Float16) == 8 && int(DType::Int64) == 9 &&
                  int(DType::UNKNOWN) == 0 && int(DType::None) == 254 && int(DType::Multi) == 255,
              "element types");
static_assert(Flags::IS_CONST == 0 && Flags::INHIBIT_CONST_PROP == 1 && Flags::RESOURCE_HVX == 2 &&
                  Flags::RESOURCE_HMX == 3 && Flags::RESOURCE_HLX == 4 && Flags::IS_DMA == 5,
              "flags");
static_assert(sizeof(Idx) == 8, "Idx on x86");

static_assert(std::is_base_of<LayoutCrouton_8, QUint8CroutonTensor_TCM>::value &&
                  std::is_base_of<LayoutFlat_8, QuantUint8Tensor>::value &&
                  !std::is_base_of<LayoutFlat_8, QuantUint16Tensor>::value,
              "layouts");

BEGIN_PKG_OP_DEFINITION(PKG_Surface);

// A helper that takes a base class, and rounds as kernels do.
static void fill(TensorContiguous<Tdefs::QuantUint8>& out, std::function<float(float)> const& f) {
  for (int i = 0; i < 256; i++) out(0, 0, 0, i) = f(float(saturate_round<int>(float(i) * 0.5f)));
}
static GraphStatus filled(QuantUint8Tensor& out, const Tensor&) {
  fill(out, [](float x) { return x; });
  return GraphStatus::Success;
}
DEF_PACKAGE_OP(filled, "Filled")

// Methods that every tensor has.
template <typename T>
static GraphStatus methods(T& out, const T& in) {
  auto [b, h, w, d] = in.dims();
  const size_t wanted[4] = {b, h, w, d};
  out.set_dims(wanted);
  out.set_dims(in);
  const auto info = in.get_dtype_intfc();
  if (info.dtype != in.get_dtype() || in.rank() != 4 || in.dim(0) != b) return GraphStatus::ErrorRank;
  float x = in(0, 0, 0, 0) + in(0) + info.scale + float(info.offset);
  out(0, 0, 0, 0) = x;
  out(0, 0, 0, 0) = in(0, 0, 0, 0);
  out(0, 0, 0, 0) += 1.0f;
  out(0, 0, 0, 0) = out(0, 0, 0, 0);
  memcpy(out.get_raw_addr(0, 0, 0, 0), in.get_raw_addr(0, 0, 0, 0), 1);
  memcpy(out.element_ptr(0, 0, 0, 0), in.element_ptr(0, 0, 0, 0), 1);
  memcpy(out.raw_data(), in.raw_data_const(), in.total_storage_elements());
  for (size_t i = 0; i < in.blocktab_len(); i++) memcpy(out.blocktab_ptr()[i], in.blocktab_ptr()[i], 2048);
  return GraphStatus::Success;
}

// Methods of tensors whose type is known.
template <typename T>
static int typed(T& out, const T& in) {
  out.get_raw(0, 0, 0, 0) = in.get_raw(0, 0, 0, 0);
  float real = (float(in.get_raw(0, 0, 0, 0)) - float(in.interface_offset())) * in.interface_scale();
  out(0, 0, 0, 0) = real * out.interface_scale_recip();
  return GraphStatus::Success;
}
template <typename T>
static int blocks(T& out, const T& in) {
  memcpy(out.block_ptr(0, 0, 0, 0), in.block_ptr(0, 0, 0, 0), 2048);
  return GraphStatus::Success;
}

#define REGISTER(CLASS) \
  DEF_PACKAGE_OP((methods<CLASS>), "Methods") DEF_PACKAGE_OP_AND_COST_AND_FLAGS((typed<CLASS>), "Typed", FREE)
#define REGISTER_CROUTON(CLASS) REGISTER(CLASS) DEF_PACKAGE_OP((blocks<CLASS>), "Blocks")
DEF_PACKAGE_OP((methods<Tensor>), "Methods")
REGISTER(PlainFloatTensor)
REGISTER(PlainFloatTensor_TCM)
REGISTER(PlainFloat16Tensor)
REGISTER(PlainFloat16Tensor_TCM)
REGISTER(Int32Tensor)
REGISTER(Int32Tensor_TCM)
REGISTER(QuantUint8Tensor)
REGISTER(QuantUint8Tensor_TCM)
REGISTER(QuantInt8Tensor)
REGISTER(QuantInt8Tensor_TCM)
REGISTER(QuantUint16Tensor)
REGISTER(QuantUint16Tensor_TCM)
REGISTER(QuantInt16Tensor)
REGISTER(QuantInt16Tensor_TCM)
REGISTER(TensorContiguous<Tdefs::QuantUint8>)
REGISTER_CROUTON(QUint8CroutonTensor)
REGISTER_CROUTON(QUint8CroutonTensor_TCM)
REGISTER_CROUTON(QInt8CroutonTensor)
REGISTER_CROUTON(QUint16CroutonTensor)
REGISTER_CROUTON(QUint16CroutonTensor_TCM)
REGISTER_CROUTON(F16CroutonTensor)
REGISTER_CROUTON(F16CroutonTensor_TCM)
REGISTER_CROUTON(Int32CroutonTensor)
REGISTER_CROUTON(Int32CroutonTensor_TCM)

// Status codes by their longer name, an operand that is dimensions only, what a rule's function asks of an operand.
static GraphStatus shaped(PlainFloatTensor& out, const PlainFloatTensor& in, const TensorShape<4>& shape) {
  if (shape.rank() != in.rank() || shape.dim(3) == 0) return GraphStatus::GraphErrorCode::ErrorDimensions;
  const GraphStatus status = out.set_dims(in) ? GraphStatus::Success : GraphStatus::ErrorNoSpace;
  return status == GraphStatus::Success ? status : GraphStatus(ErrorFatal);
}
DEF_PACKAGE_OP(shaped, "Shaped")
[[maybe_unused]] static bool isRow(Constraint&, OpRef x) { return x.dim(1) == 1 && x.rank() == 4; }
[[maybe_unused]] static QuickShape part(Replacement& rpx, Split_Context const& split, OpRef const& x, int dim) {
  return QuickShape(x.dim(rpx.graph(), 0), 1, split.start / split.size, size_t(dim));
}

// An element by an array of coordinates.
template <typename T>
static GraphStatus byArray(T& out, const T& in) {
  long at[] = {0, 0, 1, 2};
  memcpy(out.element_ptr(4, at), in.element_ptr(4, at), 1);
  return GraphStatus::Success;
}
DEF_PACKAGE_OP((byArray<PlainFloat16Tensor>), "ByArray")

// Code for SDKs before v81 brings this along.
namespace older {
[[maybe_unused]] static inline HVX_Vector Q6_Vqf32_equals_Vsf(HVX_Vector v) { return ::Q6_Vqf32_equals_Vsf(v); }
}  // namespace older

// HVX types as packages use them: 32-bit lanes, floats through a union, a predicate kept in a vector.
[[maybe_unused]] static float vectors(HVX_Vector v, HVX_VectorPair w) {
  union {
    HVX_Vector vector;
    float lanes[32];
  } u;
  u.vector = Q6_Vsf_equals_Vqf32(Q6_Vqf32_vadd_VsfVsf(v, Q6_V_lo_W(w)));
  v[31] = v[0] + 1;
  HVX_Vector chosen = Q6_Q_vcmp_gt_VwVw(v, u.vector);
  HVX_UVector* anywhere = (HVX_UVector*)&u;
  *anywhere = Q6_V_vmux_QVV(chosen, v, *anywhere);
  FARF(ALWAYS, "lane %d", v[31]);
  FARF(ERROR, "done");
  return u.lanes[1];
}

[[maybe_unused]] static Float16 halves(float x) {
  Float16 h = x;
  __fp16 storage = x;
  return Float16::from_raw(uint16_t(h.raw() + uint16_t(float(storage) > 0)));
}

END_PKG_OP_DEFINITION(PKG_Surface);

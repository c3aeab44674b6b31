// One fault for each op.
// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"

BEGIN_PKG_OP_DEFINITION(PKG_Faulty);

static GraphStatus crash(Tensor&, const Tensor&) {
  volatile int* nowhere = nullptr;
  *nowhere = 1;
  return GraphStatus::Success;
}
static GraphStatus hang(Tensor&, const Tensor&) {
  for (volatile int i = 0;; i = i + 1) {
  }
}
static GraphStatus overrun(Tensor& out, const Tensor& in) {
  memcpy(out.raw_data(), in.raw_data_const(), in.total_storage_bytes());
  static_cast<char*>(out.raw_data())[out.total_storage_bytes() + 2] = 1;
  return GraphStatus::Success;
}
static GraphStatus farOverrun(Tensor& out, const Tensor&) {
  for (size_t i = 0; i < 1 << 20; i++) static_cast<volatile char*>(out.raw_data())[i] = 1;
  return GraphStatus::Success;
}
static GraphStatus underrun(Tensor& out, const Tensor&) {
  static_cast<char*>(out.raw_data())[-1] = 1;
  return GraphStatus::Success;
}
static GraphStatus changeInput(Tensor&, const Tensor& in) {
  static_cast<char*>(const_cast<void*>(in.raw_data_const()))[1] ^= 1;
  return GraphStatus::Success;
}
static GraphStatus wrongDims(Tensor& out, const Tensor& in) {
  const size_t dims[4] = {1, 1, 1, in.dim(3) / 2};
  out.set_dims(dims);
  return GraphStatus::Success;
}
static GraphStatus bigger(Tensor& out, const Tensor& in) {
  const size_t dims[4] = {1, 1, 2, in.dim(3)};
  out.set_dims(dims);
  return GraphStatus::Success;
}
static int returnBad(Tensor&, const Tensor&) {
  warnlog("about to fail with %d", (int)GraphStatus::ErrorPrecision);
  return GraphStatus::ErrorPrecision;
}
static GraphStatus throwIt(Tensor&, const Tensor&) { throw std::runtime_error("no such table"); }
static GraphStatus floatOnly(PlainFloatTensor& out, const PlainFloatTensor& in) {
  out.set_dims(in);
  return GraphStatus::ErrorFatal;
}
static GraphStatus wrongIndex(Tensor& out, const Tensor& in) {
  for (Idx d = 0; d < in.dim(3); d++) out(0, 0, 0, d) = in(0, 0, d, 0);  // width and depth mixed up
  return GraphStatus::Success;
}
static GraphStatus silent(Tensor&, const Tensor&) { return GraphStatus::Success; }

DEF_PACKAGE_OP(crash, "Crash")
DEF_PACKAGE_OP(hang, "Hang")
DEF_PACKAGE_OP(overrun, "Overrun")
DEF_PACKAGE_OP(farOverrun, "FarOverrun")
DEF_PACKAGE_OP(underrun, "Underrun")
DEF_PACKAGE_OP(changeInput, "ChangeInput")
DEF_PACKAGE_OP(wrongDims, "WrongDims")
DEF_PACKAGE_OP(bigger, "Bigger")
DEF_PACKAGE_OP(returnBad, "ReturnBad")
DEF_PACKAGE_OP(throwIt, "Throw")
DEF_PACKAGE_OP(floatOnly, "FloatOnly")
DEF_PACKAGE_OP(wrongIndex, "WrongIndex")
DEF_PACKAGE_OP(silent, "Silent")

END_PKG_OP_DEFINITION(PKG_Faulty);

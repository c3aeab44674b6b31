// InTcm: x + 1.
#include "odd_ops/in_tcm.h"

namespace odd_ops {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  if (op.x.rank != 3 || op.y.rank != 3) return opkg::Status::error;
  for (size_t i = 0; i < op.y.size(); ++i) op.y.store(i, op.x.load(i) + 1.0f);
  return opkg::Status::ok;
}

}  // namespace

opkg::Status in_tcm_f32(const InTcmArgsF32& op) { return compute(op); }
opkg::Status in_tcm_u8(const InTcmArgsU8& op) { return compute(op); }

}  // namespace odd_ops

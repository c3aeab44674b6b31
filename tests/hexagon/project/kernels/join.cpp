// Join: rows of the outer dimensions, tensor by tensor.
#include "mixed_bag/join.h"

namespace mixed_bag {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  size_t at = 0;
  const size_t outer = op.y.span(0, op.axis);
  for (size_t row = 0; row < outer; ++row) {
    for (const auto& x : op.xs) {
      const size_t run = x.span(op.axis, x.rank);
      for (size_t i = 0; i < run; ++i) op.y.store(at++, x.load(row * run + i));
    }
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status join_u8(const JoinArgsU8& op) { return compute(op); }
opkg::Status join_f32(const JoinArgsF32& op) { return compute(op); }

}  // namespace mixed_bag

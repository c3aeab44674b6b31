// Join: rows of all inputs, one behind the other, in the steps of the output.
#include "odd_ops/join.h"

namespace odd_ops {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  size_t to = 0;
  const size_t rows = op.y.size() / op.y.dim(-1);
  for (size_t row = 0; row < rows; ++row) {
    for (const auto& x : op.x) {
      const size_t length = x.dim(-1);
      for (size_t i = 0; i < length; ++i) op.y.store(to++, x.load(row * length + i));
    }
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status join_f32(const JoinArgsF32& op) { return compute(op); }
opkg::Status join_u8(const JoinArgsU8& op) { return compute(op); }

}  // namespace odd_ops

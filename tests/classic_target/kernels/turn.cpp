// Turn: rolls one dimension.
#include "odd_ops/turn.h"

namespace odd_ops {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  if (op.weights.size() != 2 || op.x.rank != 3) return opkg::Status::error;
  const size_t inner = op.x.span(op.axis + 1, op.x.rank);
  const int64_t length = op.x.dims[op.axis];
  const int64_t by = int64_t{op.places} * op.weights[0] % length;
  for (size_t i = 0; i < op.x.size(); ++i) {
    const int64_t from = static_cast<int64_t>(i / inner) % length;
    const int64_t to = (from + by + length) % length;
    op.y[static_cast<size_t>(static_cast<int64_t>(i) + (to - from) * static_cast<int64_t>(inner))] = op.x[i];
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status turn_i32(const TurnArgsI32& op) { return compute(op); }
opkg::Status turn_u8(const TurnArgsU8& op) { return compute(op); }

}  // namespace odd_ops

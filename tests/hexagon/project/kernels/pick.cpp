// Pick: the axis is the last one of the padded rank.
#include "mixed_bag/pick.h"

namespace mixed_bag {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  if (op.axis != 3 || op.x.rank != 4) return opkg::Status::unsupported;
  const size_t columns = op.x.dim(-1);
  for (size_t row = 0; row < op.y.size(); ++row) {
    float best = op.x.load(row * columns);
    for (size_t i = 1; i < columns; ++i) best = op.x.load(row * columns + i) > best ? op.x.load(row * columns + i) : best;
    if (op.floor && op.floor.load(0) > best) best = op.floor.load(0);
    op.y.store(row, best);
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status pick_s8(const PickArgsS8& op) { return compute(op); }
opkg::Status pick_i16(const PickArgsI16& op) { return compute(op); }

}  // namespace mixed_bag

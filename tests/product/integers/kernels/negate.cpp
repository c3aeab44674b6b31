#include "plain_integers/negate.h"
namespace plain_integers {
template <class A>
opkg::Status run(const A& op) {
  for (size_t i = 0; i < op.y.size(); ++i) op.y.store(i, -op.x.load(i));
  return opkg::Status::ok;
}
opkg::Status negate_i8(const NegateArgsI8& op) { return run(op); }
opkg::Status negate_i16(const NegateArgsI16& op) { return run(op); }
}  // namespace plain_integers

#include "plain_integers/greater.h"
namespace plain_integers {
template <class A>
opkg::Status run(const A& op) {
  for (size_t i = 0; i < op.y.size(); ++i) op.y[i] = op.a.load(i) > op.b.load(i);
  return opkg::Status::ok;
}
opkg::Status greater_f32(const GreaterArgsF32& op) { return run(op); }
opkg::Status greater_u8(const GreaterArgsU8& op) { return run(op); }
}  // namespace plain_integers

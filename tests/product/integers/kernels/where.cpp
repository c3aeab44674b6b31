#include "plain_integers/where.h"
namespace plain_integers {
template <class A>
opkg::Status run(const A& op) {
  for (size_t i = 0; i < op.y.size(); ++i) op.y.store(i, op.c[i] ? op.a.load(i) : 0.f);
  return opkg::Status::ok;
}
opkg::Status where_f32(const WhereArgsF32& op) { return run(op); }
opkg::Status where_i8(const WhereArgsI8& op) { return run(op); }
}  // namespace plain_integers

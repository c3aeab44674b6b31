#include "plain_integers/half.h"
namespace plain_integers {
opkg::Status half_ui8(const HalfArgsUi8& op) {
  for (size_t i = 0; i < op.y.size(); ++i) op.y[i] = op.x[i] / 2;
  return opkg::Status::ok;
}
opkg::Status half_ui16(const HalfArgsUi16& op) {
  for (size_t i = 0; i < op.y.size(); ++i) op.y[i] = op.x[i] / 2;
  return opkg::Status::ok;
}
}  // namespace plain_integers

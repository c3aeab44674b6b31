// Scale: x * factor.
#include "nn_rewrites/scale.h"

namespace nn_rewrites {

opkg::Status scale_f32(const ScaleArgsF32& op) {
  for (size_t i = 0; i < op.y.size(); ++i) op.y.data[i] = op.x.data[i] * op.factor;
  return opkg::Status::ok;
}

}  // namespace nn_rewrites

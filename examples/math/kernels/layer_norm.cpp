// LayerNorm over the last dimension, in two passes a row; gamma and beta may be absent.
#include "nn_math/layer_norm.h"

namespace nn_math {
namespace {

template <typename Args>
opkg::Status compute(const Args& op) {
  const size_t length = op.x.dim(-1);
  const size_t count = op.x.size();
  for (size_t row = 0; row < count; row += length) {
    double sum = 0.0;
    for (size_t i = 0; i < length; ++i) sum += op.x.load(row + i);
    const double mean = sum / static_cast<double>(length);
    double squares = 0.0;
    for (size_t i = 0; i < length; ++i) {
      const double centred = op.x.load(row + i) - mean;
      squares += centred * centred;
    }
    const double scale = 1.0 / std::sqrt(squares / static_cast<double>(length) + op.epsilon);
    for (size_t i = 0; i < length; ++i) {
      double y = (op.x.load(row + i) - mean) * scale;
      if (op.gamma) y *= op.gamma.load(i);
      if (op.beta) y += op.beta.load(i);
      op.y.store(row + i, static_cast<float>(y));
    }
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status layer_norm_f32(const LayerNormArgsF32& op) { return compute(op); }
opkg::Status layer_norm_u8(const LayerNormArgsU8& op) { return compute(op); }

}  // namespace nn_math

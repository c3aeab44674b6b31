// Fold: sum and maximum of each row.
#include "odd_ops/fold.h"

namespace odd_ops {

opkg::Status fold_f32(const FoldArgsF32& op) {
  const size_t length = op.x.dim(-1);
  for (size_t row = 0; row < op.y.size(); ++row) {
    double sum = 0.0;
    float most = op.x[row * length];
    for (size_t i = 0; i < length; ++i) {
      sum += op.x[row * length + i];
      most = op.x[row * length + i] > most ? op.x[row * length + i] : most;
    }
    op.y[row] = static_cast<float>(sum);
    op.most[row] = most;
  }
  return opkg::Status::ok;
}

}  // namespace odd_ops

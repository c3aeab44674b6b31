// Which dimension of a tensor in blocks each dimension of a part of it goes along, and in what steps.
#ifndef OPKG_SEEN_WAYS_H_
#define OPKG_SEEN_WAYS_H_

#include "opkg/rows_crouton.h"
#include "opkg/seen.h"

namespace opkg::rowwise {

/// How the dimensions of a part go along those of its tensor in blocks: each along one of them, the last one along the depth.
struct PixelWays {
  uint32_t along[kMaxRank] = {};
  int32_t steps[kMaxRank] = {};
  uint32_t start[4] = {};
  bool fits = false;

  PixelWays() = default;

  OPKG_SMALL explicit PixelWays(const SeenOperand& o) {
    const uint32_t rank = o.base.rank;
    fits = o.valid && o.base.crouton() && rank != 0 && o.first >= 0 && o.base.size() != 0;
    if (!fits) return;
    int64_t apart[5] = {0, 0, 0, 0, 1};  // elements
    for (uint32_t c = 4; c-- > 0;) apart[c] = apart[c + 1] * o.whole[c];
    int64_t low[4], high[4];
    for (uint32_t c = 0; c < 4; ++c) {
      const int64_t place = o.first / static_cast<int64_t>(o.base.bytes) % apart[c] / apart[c + 1];
      start[c] = static_cast<uint32_t>(place);
      low[c] = high[c] = place;
    }
    for (uint32_t k = 0; k < rank; ++k) {
      const int64_t n = o.base.dims[k] - 1, step = o.steps[k] / static_cast<int64_t>(o.base.bytes), size = step < 0 ? -step : step;
      along[k] = k + 1 == rank ? 3 : 4;
      if (k + 1 == rank) fits = fits && (n == 0 || step == 1);
      for (uint32_t c = 0; c < 4 && along[k] == 4 && n != 0 && step != 0; ++c) {
        if (size >= apart[c + 1] && size % apart[c + 1] == 0) along[k] = c, steps[k] = static_cast<int32_t>(step / apart[c + 1]);
      }
      if (k + 1 == rank) steps[k] = 1;
      if (along[k] == 4) continue;
      (steps[k] < 0 ? low : high)[along[k]] += n * steps[k];
      fits = fits && (along[k] != 3 || k + 1 == rank || steps[k] % static_cast<int32_t>(kBlockDepth) == 0);
    }
    for (uint32_t c = 0; c < 4; ++c) fits = fits && low[c] >= 0 && high[c] < static_cast<int64_t>(o.whole[c]);
    fits = fits && start[3] % kBlockDepth == 0;
  }
};

}  // namespace opkg::rowwise

#endif  // OPKG_SEEN_WAYS_H_

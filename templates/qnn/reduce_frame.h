// The dimensions that operands of a reduction have in common, and those of them that are reduced. C++17.
#ifndef OPKG_REDUCE_FRAME_H_
#define OPKG_REDUCE_FRAME_H_

#include "opkg/reduce_run.h"
#include "opkg/rows_operand.h"

namespace opkg::rowwise {

/// The common frame of all operands. Dimensions are counted from the last one.
template <uint32_t kOperands>
struct Frame {
  uint32_t rank = 0;
  size_t extents[kMaxRank] = {};
  size_t steps[kOperands][kMaxRank] = {};  ///< bytes; 0 along what an operand does not have

  /// `axes`: bits of reduced dimensions; `dropped`: bits of operands that are without them. Operands may have padded rows. False:
  /// shapes do not fit.
  OPKG_SMALL bool set(const Operand* const* operands, uint32_t count, uint32_t axes, uint32_t dropped) {
    for (size_t& extent : extents) extent = 1;
    for (uint32_t i = 0; i < count; ++i) {
      const Operand& o = *operands[i];
      size_t step = o.bytes;
      uint32_t place = 0;
      for (uint32_t k = 0; k < o.rank; ++k, ++place) {
        while ((dropped >> i & 1) != 0 && place < kMaxRank && (axes >> place & 1) != 0) ++place;
        const size_t extent = o.extent(k);
        if (extent != 1) {
          if (place >= kMaxRank || (extents[place] != 1 && extents[place] != extent)) return false;
          extents[place] = extent;
          steps[i][place] = step;
          if (place >= rank) rank = place + 1;
        }
        step *= k == 0 && o.padded[3] != 0 ? o.padded[3] : extent;
      }
    }
    return true;
  }

  /// Whether several rows write the same elements of an operand from `first` on, as it lacks a dimension that others have: slices
  /// of a call would write them at the same time.
  OPKG_RARE bool shares_results(uint32_t first, uint32_t count, uint32_t axes) const {
    for (uint32_t i = first; i < count; ++i) {
      for (uint32_t k = 0; k < rank; ++k) {
        if ((axes >> k & 1) == 0 && extents[k] != 1 && steps[i][k] == 0) return true;
      }
    }
    return false;
  }
};

/// The reduced dimensions of a frame as a run; neighbours along which every operand goes on alike are one.
template <uint32_t kOperands>
OPKG_SMALL RunOf<kOperands> run_of(const Frame<kOperands>& frame, uint32_t axes) {
  RunOf<kOperands> run;
  for (uint32_t k = 0; k < frame.rank; ++k) {
    if ((axes >> k & 1) == 0 || frame.extents[k] == 1) continue;
    bool joins = run.rank != 0;
    for (uint32_t i = 0; i < kOperands && joins; ++i) {
      joins = frame.steps[i][k] == run.steps[i][run.rank - 1] * run.extents[run.rank - 1];
    }
    if (joins) {
      run.extents[run.rank - 1] *= frame.extents[k];
      continue;
    }
    run.extents[run.rank] = frame.extents[k];
    for (uint32_t i = 0; i < kOperands; ++i) run.steps[i][run.rank] = frame.steps[i][k];
    ++run.rank;
  }
  return run;
}

}  // namespace opkg::rowwise

#endif  // OPKG_REDUCE_FRAME_H_

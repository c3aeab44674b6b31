// What a tensor is to a dimension of it that a kernel goes along, whichever that is. C++17.
#ifndef OPKG_AXIS_EXTENTS_H_
#define OPKG_AXIS_EXTENTS_H_

#include "opkg/rows_operand.h"

namespace opkg {

/// What a tensor is to a dimension of it, or to some that lie one after another: `around` times `count` elements times `inside`.
struct AxisExtents {
  size_t around = 1, count = 1, inside = 1;
  bool in_order = true;

  OPKG_SMALL AxisExtents(const Operand& in, uint32_t axes) {
    for (uint32_t k = 0; k < in.rank; ++k) {
      const size_t extent = in.extent(k);
      const bool along = (axes >> k & 1) != 0;
      in_order = in_order && !(along && around != 1);
      (along ? count : count == 1 ? inside
                                  : around) *= extent;
    }
  }
};

}  // namespace opkg

#endif  // OPKG_AXIS_EXTENTS_H_

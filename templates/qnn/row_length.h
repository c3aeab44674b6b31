// How many elements the rows of a call have, before it runs. C++17.
#ifndef OPKG_ROW_LENGTH_H_
#define OPKG_ROW_LENGTH_H_

#include <initializer_list>

#include "opkg/rows_operand.h"
#include "opkg/small.h"

namespace opkg {

/// Elements of a row of some inputs together. `axes`: bits of the reduced dimensions; `dropped`: bits of inputs that are without
/// them.
OPKG_SMALL inline double row_length(uint32_t axes, uint32_t dropped, std::initializer_list<Operand> inputs) {
  size_t elements = 1;
  for (uint32_t k = 0; k < kMaxRank; ++k) {
    uint32_t extent = 1, input = 0;
    for (const Operand& in : inputs) {
      const bool has = (axes >> k & 1) != 0 && (dropped >> input++ & 1) == 0;
      extent = has && in.extent(k) != 1 ? in.extent(k) : extent;
    }
    elements *= extent;
  }
  return static_cast<double>(elements);
}

}  // namespace opkg

#endif  // OPKG_ROW_LENGTH_H_

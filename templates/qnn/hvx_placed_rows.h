// Where rows and columns lie whose elements are brought to slots of vectors. C++17.
#ifndef OPKG_HVX_PLACED_ROWS_H_
#define OPKG_HVX_PLACED_ROWS_H_

#include "opkg/hvx_route.h"

#if OPKG_HVX

namespace opkg::hvx {

/// Where the elements of results lie, which come to slots of vectors: rows of neighbours, or columns of some that stand side by side. Of each
/// there may be some in several places.
struct PlacedRows {
  HVX_Vector turn = Q6_V_vzero(), control = Q6_V_vzero();  ///< bring elements to their slots: columns with vrdelta, all then with vdelta
  HVX_Vector live = Q6_V_vzero();                          ///< -1 in bytes of slots that the first vector of a row fills
  bool turned;                                             ///< columns
  size_t slot;                                             ///< bytes
  uint32_t levels = 0;                                     ///< it has 2^levels lanes
  size_t rows = 1;                                         ///< of a vector,
  size_t step;                                             ///< bytes of these
  size_t deep = 0;                                         ///< further vectors of a row,
  size_t first = 0, chunk = 0;                             ///< bytes in front of them, and of each
  size_t width;                                            ///< results of a row

  /// Of rows of `bytes` bytes.
  OPKG_RARE PlacedRows(size_t lane, size_t bytes) : turned(false), slot(lane), step(bytes), width(1) {
    while (slot < bytes && slot < kBytes) slot *= 2, ++levels;
    rows = kBytes / slot, step = rows * bytes;
    deep = (bytes - 1) / kBytes, first = (bytes - 1) % kBytes + 1, chunk = kBytes;
    set_live(first, rows);
    if (bytes < slot && slot < kBytes) control = into_slots(bytes, slot);
  }

  /// Of `width` columns of `count` elements of `bytes` bytes.
  OPKG_RARE PlacedRows(size_t lane, size_t bytes, size_t columns, size_t count) : turned(true), slot(4), width(columns) {
    while (slot < count * bytes && 2 * slot * columns <= kBytes) slot *= 2;
    while ((lane << levels) < slot) ++levels;
    const size_t most = slot / bytes, row = columns * bytes;
    deep = (count - 1) / most, first = (count - deep * most) * row, chunk = most * row;
    if (deep == 0) rows = kBytes / (slot * columns);
    step = rows * count * row;
    set_live(first / columns, rows * columns);
    uint8_t from[kBytes];
    for (size_t k = 0; k < kBytes; ++k) {
      const size_t place = k / slot, at = k % slot / bytes;
      const bool is_there = place < rows * columns && at < std::min(count, most);
      from[k] = static_cast<uint8_t>(is_there ? (place / columns * count + at) * row + place % columns * bytes + k % bytes : kBytes);
    }
    cross(from, &turn, &control);
  }

  /// Results of a vector, and lanes that have room for them.
  size_t results() const { return rows * width; }
  size_t room() const { return kBytes / slot; }

  /// How many of `n` vectors side by side from `at` on, or places of one, `apart` bytes from each other, are read whole before `end`.
  OPKG_INLINE size_t whole(const uint8_t* at, const uint8_t* end, size_t n, size_t apart) const {
    const size_t reach = deep == 0 ? kBytes : first + (deep - 1) * chunk + kBytes;
    while (n != 0 && static_cast<size_t>(end - at) < (n - 1) * apart + reach) --n;
    return n;
  }

 private:
  void set_live(size_t bytes, size_t slots) {
    alignas(kBytes) uint8_t all[kBytes];
    for (size_t k = 0; k < kBytes; ++k) all[k] = k % slot < bytes && k / slot < slots ? 0xff : 0;
    live = load(all);
  }
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_PLACED_ROWS_H_

// Copies of elements that lie otherwise in the result, by vectors: rows of any length and step, and transposed tiles. C++17.
#ifndef OPKG_HVX_MOVE_H_
#define OPKG_HVX_MOVE_H_

#include <utility>

#include "opkg/hvx_tiles.h"

namespace opkg {

/// Copies that are alike but for where they begin: so many bytes further on.
struct Origins {
  size_t n;
  const intptr_t* to;
  const intptr_t* from;
};

}  // namespace opkg

#if OPKG_HVX

namespace opkg::hvx {

constexpr intptr_t kLine = 80;  // about what a line takes besides its steps, packets

/// Calls `copy` for every place of dimensions.
template <typename T>
inline void everywhere(const T& copy, uint8_t* y, const uint8_t* x, const Along* dims, uint32_t rank) {
  if (rank == 0) return copy.copy(y, x);
  --rank;
  for (intptr_t k = 0; k < dims[rank].n; ++k) everywhere(copy, y + k * dims[rank].to, x + k * dims[rank].from, dims, rank);
}

/// The dimension to go along in the place of a short one, which `first` is if it is not the longest.
inline uint32_t longest(const Along* dims, uint32_t first, uint32_t end) {
  uint32_t found = first;
  for (uint32_t k = first + 1; k < end; ++k) found = dims[first].n < 8 && dims[k].n > 2 * dims[found].n ? k : found;
  return found;
}

/// The same for every one of several copies.
template <typename T>
inline void everywhere(const T& copy, uint8_t* y, const uint8_t* x, const Along* dims, uint32_t rank, const Origins& origins) {
  for (size_t k = 0; k < origins.n; ++k) everywhere(copy, y + origins.to[k], x + origins.from[k], dims, rank);
}

/// Bytes as they are. Nothing behind them is written.
struct OnePiece {
  size_t bytes;

  OPKG_INLINE_TINY void copy(uint8_t* y, const uint8_t* __restrict x) const {
    size_t n = bytes;
    OPKG_UNROLL(1)
    for (; n >= kBytes; n -= kBytes, y += kBytes, x += kBytes) store_unaligned(y, load_unaligned(x));
    if (n != 0) store_some(y, n, load_some(x, n));
  }
};

/// Copies elements of `size` bytes. `dims`: their steps in the result are above 0, the smallest first. `singly`: by vectors even where each
/// element goes by itself. False: no vectors do it.
inline bool copied(uint8_t* y, const uint8_t* x, Along* dims, uint32_t rank, intptr_t size, const Origins& origins, bool singly) {
  const auto joins = [&] { return dims[0].to == size && dims[0].from == size && size * dims[0].n <= 16 && 16 % (size * dims[0].n) == 0; };
  while (rank > 1 && joins()) {
    size *= dims[0].n;
    for (uint32_t k = 1; k < rank; ++k) dims[k - 1] = dims[k];
    dims[--rank] = Along();
  }
  if (rank == 1 && dims[0].to == size && dims[0].from == size) {
    everywhere(OnePiece{static_cast<size_t>(dims[0].n * size)}, y, x, dims, 0, origins);
    return true;
  }
  uint32_t along = 0;  // the dimension whose elements lie together in the source
  while (along < rank && dims[along].from != size) ++along;
  uint32_t inner = 0;
  if (along != 0 && along < rank && dims[0].from != 0) {
    const Tiles tiles(dims[0], dims[along], size);
    const intptr_t room = static_cast<intptr_t>(kBytes) - size, area = tiles.height() * tiles.width();
    const intptr_t gathered = room / (dims[0].from < 0 ? -dims[0].from : dims[0].from) + 1, scattered = room / dims[along].to + 1;
    const intptr_t lines = scattered < dims[along].n ? kLine * area / dims[along].n : 0;
    if (size <= 16 && dims[0].from > 0 && dims[0].to == size && tiles.cost() * gathered < 3 * area && 2 * (tiles.cost() - lines) * scattered < 9 * area) {
      dims[along] = dims[--rank];
      everywhere(tiles, y, x, dims + 1, rank - 1, origins);
      return true;
    }
    if (2 * scattered > 3 * gathered) inner = along;
  }
  std::swap(dims[0], dims[inner]);
  if (rank > 2) std::swap(dims[1], dims[longest(dims, 1, rank)]);
  if (rank < 2) rank = 2;
  LinesOfWindows lines;
  if (!lines.make(dims[0], dims[1], size) || (!singly && lines.one_by_one())) return false;
  everywhere(lines, y, x, dims + 2, rank - 2, origins);
  return true;
}

inline bool copied(uint8_t* y, const uint8_t* x, Along* dims, uint32_t rank, intptr_t size) {
  const intptr_t here = 0;
  return copied(y, x, dims, rank, size, {1, &here, &here}, true);
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_MOVE_H_

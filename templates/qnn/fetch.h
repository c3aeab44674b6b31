// Brings into the L2 cache what the next part of a call reads from DDR. Nothing waits for it; on hosts nothing happens.
#ifndef OPKG_FETCH_H_
#define OPKG_FETCH_H_

#include <cstddef>
#include <cstdint>

#include "opkg/kernel.h"

#ifndef OPKG_LEAST_SLICE
#define OPKG_LEAST_SLICE 4096
#endif

namespace opkg {

/// Bytes of the largest tensor for which a slice more pays.
constexpr size_t kLeastSlice = OPKG_LEAST_SLICE;

/// Bytes of an input that are fetched at a time, at most, and those that an instruction can ask for.
constexpr size_t kFetched = 14 * kLeastSlice;
constexpr size_t kMostFetched = 65535;

/// An input that a call reads from its beginning to its end, slice after slice, in units of some bytes.
struct Stream {
  const void* place = nullptr;
  size_t units = 0;
  size_t unit = 1;
  size_t bytes = 0;

  Stream() = default;
  Stream(const void* from, size_t total, size_t step)
      : place(from), units((total + step - 1) / step), unit(step), bytes(total) {}
};

/// Asks for `bytes` from `from` on: one row of a box as wide as that.
inline void fetch([[maybe_unused]] const void* from, [[maybe_unused]] size_t bytes) {
#if defined(OPKG_FETCHED)
  OPKG_FETCHED(from, bytes);
#elif defined(__hexagon__)
  const uint64_t box = uint64_t{bytes} << 32 | uint64_t{bytes} << 16 | 1;  // stride, width, height
  __asm__ volatile("l2fetch(%0,%1)" : : "r"(from), "r"(box));
#endif
}

/// Fetches what a slice reads of an input.
inline void fetch(const Stream& stream, Slice slice) {
  const size_t from = slice.begin(stream.units) * stream.unit, end = slice.end(stream.units) * stream.unit;
  const size_t bytes = (end < stream.bytes ? end : stream.bytes) - from;
  if (from < end) fetch(static_cast<const uint8_t*>(stream.place) + from, bytes < kMostFetched ? bytes : kMostFetched);
}

}  // namespace opkg

#endif  // OPKG_FETCH_H_

// Which code computed how many elements: vector code or portable code. Counted where OPKG_COUNT_PATHS is defined.
#ifndef OPKG_PATHS_H_
#define OPKG_PATHS_H_

#include <cstddef>
#include <cstdint>

#ifdef OPKG_COUNT_PATHS
/// Elements by vector code, by portable code. One object of a program or library; its user finds it by this name.
extern "C" __attribute__((weak, visibility("default"))) uint64_t opkg_paths[2];
uint64_t opkg_paths[2];
#endif

namespace opkg::rowwise {

#ifdef OPKG_COUNT_PATHS
/// Counts `n` elements; several threads may count. Returns `vector`.
inline bool counted(bool vector, size_t n) {
  __atomic_fetch_add(&opkg_paths[vector ? 0 : 1], uint64_t{n},
                     __ATOMIC_RELAXED);
  return vector;
}

/// Counts the elements of a row of reduced dimensions.
template <typename Row>
bool counted_row(bool vector, const Row& row) {
  return counted(vector, row.count(~0u));
}
#else
constexpr bool counted(bool vector, size_t) { return vector; }
template <typename Row>
constexpr bool counted_row(bool vector, const Row&) {
  return vector;
}
#endif

}  // namespace opkg::rowwise

#endif  // OPKG_PATHS_H_

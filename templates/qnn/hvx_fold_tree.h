// Vectors folded two by two until each lane is a row. C++17.
#ifndef OPKG_HVX_FOLD_TREE_H_
#define OPKG_HVX_FOLD_TREE_H_

#include "opkg/hvx.h"

#if OPKG_HVX

namespace opkg::hvx {

/// 2^kLevels vectors folded into one, from number `at` on.
template <uint32_t kLevels, typename Made, typename Fold>
OPKG_INLINE auto fold_some(size_t at, const Made& made, const Fold& fold) {
  if constexpr (kLevels == 0) {
    return made(at);
  } else {
    const auto one = fold_some<kLevels - 1>(at, made, fold);
    return fold(one, fold_some<kLevels - 1>(at + (size_t{1} << (kLevels - 1)), made, fold));
  }
}

/// Folds `count` vectors that `made` makes, whose first kLevel of `levels` levels are folded; `fold` makes one of two neighbours.
template <uint32_t kLevel, typename Vector, typename Made, typename Fold>
OPKG_INLINE void fold_tree(size_t count, uint32_t levels, Vector* to, const Made& made, const Fold& fold) {
  Vector held[8];
  Vector v{};
  for (size_t i = 0; i < count; ++i) {
    v = made(i);
    uint32_t at = kLevel;
    for (size_t before = i; at < levels && (before & 1) != 0; before /= 2) v = fold(held[at++], v);
    if (at == levels) {
      *to++ = v;
    } else {
      held[at] = v;
    }
  }
  size_t open = count & ((size_t{1} << (levels - kLevel)) - 1);  // vectors whose neighbours are not there
  if (open == 0) return;
  for (uint32_t at = kLevel; at < levels; ++at, open /= 2) v = (open & 1) != 0 ? fold(held[at], v) : fold(v, v);
  *to = v;
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_FOLD_TREE_H_

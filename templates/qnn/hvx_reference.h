// An element of a row that all others are compared with: where a sum of quantized tensors is largest. C++17.
#ifndef OPKG_HVX_REFERENCE_H_
#define OPKG_HVX_REFERENCE_H_

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>

#include "opkg/hvx.h"
#include "opkg/small.h"

namespace opkg::hvx {

/// What a step counts, in two parts: a distance of 16 bits times `high`, which has 8, is exact.
struct Factor {
  float high = 0.0f, low = 0.0f;

  Factor() = default;
  explicit Factor(double value) : high(static_cast<float>(value)) {
    uint32_t bits;
    memcpy(&bits, &high, sizeof bits);
    bits &= 0xffff0000u;
    memcpy(&high, &bits, sizeof bits);
    low = static_cast<float>(value - static_cast<double>(high));
  }
};

/// The largest sum of parts of either sign in a row whose distances from an element are off by `within` at most; 0 for none.
/// `reaches`: how far each tensor's part of a distance may go.
///
/// Of r, all reaches but the farthest, parts of a distance d are 2 r + |d| together at most. Two tensors: products by `high` are
/// exact, their sum is rounded once, what is of `low` is off by 2^-30 of the parts; so d is off by 2^-22 * (r / 32 + |d|). More
/// tensors: sums are rounded, too, by 2^-24 of the parts each. |d| of what counts is about 1, and more where the largest sum was
/// not found: a sum s of rounded parts is off by 2^-22 * (|s| + 2 r).
OPKG_RARE inline float furthest_sum(std::initializer_list<float> reaches, float within) {
  float all = 0.0f, farthest = 0.0f;
  for (const float reach : reaches) {
    const float size = std::fabs(reach);
    all += size;
    if (size > farthest) farthest = size;
  }
  if (!(all < 1e30f)) return 0.0f;
  const float scale = 1 << 22, rest = all - farthest, tensors = static_cast<float>(reaches.size());
  const float rounded = reaches.size() == 2 ? rest * (1.0f / 32) : rest * 0.5f * tensors;
  const float most = (within * scale - rounded - 1.0f) * scale - tensors * rest;
  return most > 0.0f ? most : 0.0f;
}

#if OPKG_HVX

/// The largest sum so far, and the stored numbers that it is made of.
template <uint32_t kTensors>
struct Reference {
  float largest = -std::numeric_limits<float>::infinity();
  int32_t at[kTensors] = {};

  /// Of the lanes of a loop: sums, and words of stored numbers.
  void take(HVX_Vector sums, const HVX_Vector (&words)[kTensors]) {
    alignas(128) float found[32];
    memcpy(found, &sums, sizeof found);
    uint32_t best = 0;
    for (uint32_t i = 1; i < 32; ++i) {
      if (found[i] > found[best]) best = i;
    }
    if (!(found[best] > largest)) return;
    largest = found[best];
    for (uint32_t t = 0; t < kTensors; ++t) {
      memcpy(&at[t], reinterpret_cast<const uint8_t*>(&words[t]) + 4 * best, sizeof at[t]);
    }
  }
};

#endif  // OPKG_HVX

}  // namespace opkg::hvx

#endif  // OPKG_HVX_REFERENCE_H_

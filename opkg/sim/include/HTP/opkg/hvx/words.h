// HVX floating point on a host: four words at a time (eight with AVX2), in vectors that every CPU has.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HVX_WORDS_H_
#define OPKG_HVX_WORDS_H_

#include "define.h"

namespace opkg_hvx {

#ifdef __AVX2__
constexpr int kWordBytes = 32;
#else
constexpr int kWordBytes = 16;
#endif
typedef int32_t Words __attribute__((vector_size(kWordBytes)));
typedef uint32_t UWords __attribute__((vector_size(kWordBytes)));
typedef int16_t Shorts __attribute__((vector_size(kWordBytes)));
typedef float Floats __attribute__((vector_size(kWordBytes)));
typedef double Doubles __attribute__((vector_size(2 * kWordBytes)));
typedef int64_t Longs __attribute__((vector_size(2 * kWordBytes)));

// The same number in all lanes.
inline Words words(int32_t x) { return Words{} + x; }

// The same bits as another type.
template <typename To, typename From>
inline To as(From from) {
  static_assert(sizeof(To) == sizeof(From), "as many bits");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

// Where the mask (0 or -1) is set a, else b.
template <typename V, typename M>
inline V select(M mask, V a, V b) {
  return as<V>((mask & as<M>(a)) | (~mask & as<M>(b)));
}
inline Words larger(Words a, Words b) { return select(Words(a > b), a, b); }
inline Words smaller(Words a, Words b) { return select(Words(a > b), b, a); }

inline Words shift_logical(Words x, int n) { return as<Words>(as<UWords>(x) >> n); }
inline Words magnitude(Words x) { return x & 0x7fffffff; }

inline Floats floats(Words x) { return __builtin_convertvector(x, Floats); }

inline Doubles doubles(Floats x) { return __builtin_convertvector(x, Doubles); }

// Low and high words of 64-bit lanes.
inline void halves_of(Longs x, Words* low, Words* high) {
  Words parts[2];
  memcpy(parts, &x, sizeof parts);
#if defined(__clang__) && defined(__AVX2__)
  *low = __builtin_shufflevector(parts[0], parts[1], 0, 2, 4, 6, 8, 10, 12, 14);
  *high = __builtin_shufflevector(parts[0], parts[1], 1, 3, 5, 7, 9, 11, 13, 15);
#elif defined(__clang__)
  *low = __builtin_shufflevector(parts[0], parts[1], 0, 2, 4, 6);
  *high = __builtin_shufflevector(parts[0], parts[1], 1, 3, 5, 7);
#elif defined(__AVX2__)
  *low = __builtin_shuffle(parts[0], parts[1], Words{0, 2, 4, 6, 8, 10, 12, 14});
  *high = __builtin_shuffle(parts[0], parts[1], Words{1, 3, 5, 7, 9, 11, 13, 15});
#else
  *low = __builtin_shuffle(parts[0], parts[1], Words{0, 2, 4, 6});
  *high = __builtin_shuffle(parts[0], parts[1], Words{1, 3, 5, 7});
#endif
}

// Whether a bit is set in any lane.
inline bool any(Words x) {
  uint64_t parts[kWordBytes / 8], all = 0;
  memcpy(parts, &x, sizeof parts);
  for (const uint64_t part : parts) all |= part;
  return all != 0;
}

// Applies f to all words of vectors; f takes and gives `Words`.
template <typename F, typename... Vectors>
inline HVX_Vector map_words(F f, Vectors... vectors) {
  HVX_Vector out;
  for (size_t at = 0; at < sizeof out; at += sizeof(Words)) {
    const auto part = [at](const HVX_Vector& v) {
      Words w;
      memcpy(&w, reinterpret_cast<const char*>(&v) + at, sizeof w);
      return w;
    };
    const Words w = f(part(vectors)...);
    memcpy(reinterpret_cast<char*>(&out) + at, &w, sizeof w);
  }
  return out;
}

// The halves of words, sign extended, and back: only the low 16 bits of what comes back count.
inline Words low_half(Words x) { return Words(x << 16) >> 16; }
inline Words high_half(Words x) { return x >> 16; }
inline Words halves(Words high, Words low) { return Words(high << 16) | (low & 0xffff); }

// Applies f, which takes and gives the halves of words, to all halves of vectors.
template <typename F, typename... Vectors>
inline HVX_Vector map_halves(F f, Vectors... vectors) {
  return map_words([&](auto... w) { return halves(f(high_half(w)...), f(low_half(w)...)); }, vectors...);
}

// Results twice as wide as their operands: those of the low halves to the low vector, of the high halves to the high one.
template <typename F, typename... Vectors>
inline HVX_VectorPair map_wide(F f, Vectors... vectors) {
  return pair(map_words([&](auto... w) { return f(high_half(w)...); }, vectors...),
              map_words([&](auto... w) { return f(low_half(w)...); }, vectors...));
}

}  // namespace opkg_hvx

#endif  // OPKG_HVX_WORDS_H_

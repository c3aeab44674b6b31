// Results of a row that are a linear form of its elements times one more element, in fixed point. Portable C++17.
#ifndef OPKG_HVX_WEIGHTED_H_
#define OPKG_HVX_WEIGHTED_H_

#include "opkg/hvx_linear.h"

namespace opkg::hvx {

/// What a form is multiplied with: numbers of 16 bits without sign less `zero`, made of stored ones shifted up by `lift`.
struct Weight {
  int64_t zero;
  int32_t lift;

  int32_t most() const { return 65535 >> lift; }  ///< the largest magnitude of a stored one less its zero
};

/// The largest magnitude of sum(factor[i] * value[i]) + constant.
template <uint32_t kTerms>
double largest(const Term (&terms)[kTerms], double constant) {
  double sum = std::fabs(constant);
  for (const Term& term : terms) sum += std::fabs(term.factor) * term.most;
  return sum;
}

/// (sum(factor[i] * value[i]) + start) * weight + sum(factor[kInner + j] * value[j]) + bias in units of 2^-shift steps of the
/// result. The form has 32 bits, and so has its product, of which 16 bits are cut off. Factors are those of opkg::hvx::Wide.
template <uint32_t kInner, uint32_t kTerms>
struct Weighted {
  int32_t factor[kInner + kTerms] = {};
  int32_t low[kInner + kTerms] = {};
  int32_t start = 0;
  int32_t zero = 0;  ///< of the weight
  int32_t bias = 0;
  int32_t shift = 0;
  bool ok = false;  ///< whether every result is within 1 step of the correctly rounded one

  /// A factor's 32 bits.
  int32_t whole(uint32_t i) const { return factor[i] * 65536 + low[i]; }

  /// `blur`: by how much of a step the values themselves may be off.
  OPKG_RARE Weighted(const Term (&inner)[kInner], double from, const Weight& weight, std::initializer_list<Term> terms, double constant, float blur) {
    const double most = largest(inner, from);
    double reach = most * weight.most() + std::fabs(constant);
    int32_t bits = 14 + weight.lift - exponent(most);
    for (const Term& term : inner) bits = std::min(bits, weight.lift - 1 - exponent(term.factor));
    for (const Term& term : terms) {
      reach += std::fabs(term.factor) * term.most;
      bits = std::min(bits, 15 + term.lift - exponent(term.factor));
    }
    bits = std::min(std::min(bits, 30 - exponent(reach)), 12);
    if (bits < 1 || weight.zero < 0 || weight.zero > 65535) return;
    shift = bits;
    float off = 2.0f;  // half a unit of start and of bias each, one for two products that are cut off
    for (uint32_t i = 0; i < kInner; ++i) off += set(i, inner[i], bits + 16 - weight.lift);
    for (uint32_t i = 0; i < kTerms; ++i) off += set(kInner + i, terms.begin()[i], bits);
    start = static_cast<int32_t>(scaled(from, bits + 16 - weight.lift, 0x3fffffff));
    zero = static_cast<int32_t>(weight.zero);
    bias = static_cast<int32_t>(scaled(constant, bits, 0x3fffffff));
    // Numbers of the row are within 2^-25 of themselves.
    const float steps = 0.95f - blur - static_cast<float>(reach) / (1 << 25);
    ok = off < steps * static_cast<float>(1 << bits);
  }

 private:
  /// Half a unit of 2^-16 for a rounded factor, a unit for the sum of the low halves that is cut off.
  float set(uint32_t i, const Term& term, int32_t bits) {
    const int64_t fixed = scaled(term.factor, bits + 16 + term.lift, 0x7fffffff);
    factor[i] = static_cast<int32_t>(fixed >> 16);
    low[i] = static_cast<int32_t>(fixed & 0xffff);
    return 0.5f / 65536.0f * static_cast<float>(term.most >> term.lift) + 1.0f;
  }
};

}  // namespace opkg::hvx

#endif  // OPKG_HVX_WEIGHTED_H_

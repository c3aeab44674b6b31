// Functions that one instruction does not have: of floats, and of whole numbers that stop at the ends of 32 bits.
#ifndef OPKG_X64_FUNCTIONS_H_
#define OPKG_X64_FUNCTIONS_H_

#include "opkg/x64_emitter.h"

namespace opkg {

template <typename Vmm>
class X64Functions : public X64Emitter<Vmm> {
 public:
  using X64Emitter<Vmm>::X64Emitter;
  using X64Emitter<Vmm>::kIsZmm;

 protected:
  using X64Emitter<Vmm>::bits;
  using X64Emitter<Vmm>::compare;
  using X64Emitter<Vmm>::h;
  using X64Emitter<Vmm>::move;
  using X64Emitter<Vmm>::number;
  using X64Emitter<Vmm>::round;
  using X64Emitter<Vmm>::select;

  /// x := e^x, in place.
  void exp(const Vmm& x, const Vmm& a, const Vmm& b, const Vmm& c) {
    compare(c, x, number(88.722839f), 14);  // beyond it: infinity
    h->vmovups(a, number(88.722839f));
    h->vminps(x, a, x);  // of a pair with a NaN the second: it stays one
    h->vmovups(a, number(-104.0f));
    h->vmaxps(x, a, x);
    h->vmulps(a, x, number(1.44269504f));
    round(a, a, 0);  // n, of 2^n e^r
    h->vfnmadd231ps(x, a, number(0.693145752f));
    h->vfnmadd231ps(x, a, number(1.42860677e-6f));
    polynomial(b, x, kExp);
    h->vmulps(x, a, number(0.5f));  // 2^n as a product of two powers: results below the smallest normal number, too
    round(x, x, 1);
    h->vsubps(a, a, x);
    power(x);
    power(a);
    h->vmulps(b, b, x);
    h->vmulps(x, b, a);
    h->vmovups(a, number(INFINITY));
    select(x, c, a, x);
  }

  /// x := 1 / (1 + e^-x), in place.
  void sigmoid(const Vmm& x, const Vmm& a, const Vmm& b, const Vmm& c) {
    h->vxorps(x, x, bits(0x80000000));
    exp(x, a, b, c);
    h->vaddps(x, x, number(1.0f));
    h->vmovups(a, number(1.0f));
    h->vdivps(x, a, x);
  }

  /// x := tanh(x), in place: a polynomial near zero, and 1 - 2 / (e^2x + 1).
  void tanh(const Vmm& x, const Vmm& a, const Vmm& b, const Vmm& c, const Vmm& kept, const Vmm& near) {
    move(kept, x);
    near_zero(near, x, a, kTanh);
    h->vaddps(x, x, x);
    exp(x, a, b, c);
    h->vaddps(x, x, number(1.0f));
    h->vmovups(a, number(2.0f));
    h->vdivps(x, a, x);
    h->vmovups(a, number(1.0f));
    h->vsubps(x, a, x);
    h->vandps(kept, kept, bits(0x7fffffff));
    compare(kept, kept, number(0.625f), 1);
    select(x, kept, near, x);
  }

  /// x := erf(x), in place: a polynomial near zero, and 1 - e^p(|x|) with the sign of x.
  void erf(const Vmm& x, const Vmm& a, const Vmm& b, const Vmm& c, const Vmm& kept, const Vmm& near) {
    move(kept, x);
    near_zero(near, x, a, kErf);
    h->vandps(a, x, bits(0x7fffffff));
    h->vmovups(b, number(4.0f));  // erf(4) is 1
    h->vminps(a, b, a);           // of a pair with a NaN the second: it stays one
    polynomial(x, a, kErfTail);
    exp(x, a, b, c);
    h->vmovups(a, number(1.0f));
    h->vsubps(x, a, x);
    h->vandps(a, kept, bits(0x80000000));
    h->vorps(x, x, a);
    h->vandps(kept, kept, bits(0x7fffffff));
    compare(kept, kept, number(0.9f), 1);
    select(x, kept, near, x);
  }

  /// x := log(x), in place: e log 2 + log(1 + f) for x = 2^e (1 + f), f from sqrt(1/2) - 1 to sqrt(2) - 1.
  void log(const Vmm& x, const Vmm& a, const Vmm& e, const Vmm& p, const Vmm& kept) {
    move(kept, x);
    compare(p, x, number(1.17549435e-38f), 1);  // below the smallest normal number: times 2^23
    h->vmulps(a, x, number(8388608.0f));
    select(x, p, a, x);
    h->vandps(p, p, number(23.0f));
    h->vpsubd(e, x, bits(0x3f3504f3));
    h->vpsrad(e, e, 23);
    h->vpslld(a, e, 23);
    h->vpsubd(x, x, a);
    h->vsubps(x, x, number(1.0f));
    h->vcvtdq2ps(e, e);
    h->vsubps(e, e, p);
    polynomial(p, x, kLog);
    h->vmulps(a, x, x);
    h->vmulps(p, p, x);
    h->vmulps(p, p, a);
    h->vfmadd231ps(p, e, number(1.42860677e-6f));
    h->vfmadd231ps(p, a, number(-0.5f));
    h->vaddps(x, x, p);
    h->vfmadd231ps(x, e, number(0.693145752f));
    compare(a, kept, number(INFINITY), 5);  // infinity and NaN stay what they are
    select(x, a, kept, x);
    h->vmovups(e, number(NAN));
    compare(a, kept, number(0.0f), 1);
    select(x, a, e, x);
    h->vmovups(e, number(-INFINITY));
    compare(a, kept, number(0.0f), 0);
    select(x, a, e, x);
  }

  /// to := -1, 0 or 1; zero and NaN stay what they are. `to` is none of the others.
  void sign(const Vmm& to, const Vmm& x, const Vmm& mask) {
    h->vandps(to, x, bits(0x80000000));
    h->vorps(to, to, number(1.0f));
    compare(mask, x, number(0.0f), 12);
    select(to, mask, to, x);
  }

  /// All bits of a lane where a comparison of whole numbers holds: 0 equal, 1 less, 2 at most, 4 not equal, 5 at least, 6 more.
  void compare_whole(const Vmm& to, const Vmm& a, const Vmm& b, uint8_t predicate) {
    if constexpr (kIsZmm) {
      h->vpcmpd(h->k1, a, b, predicate);
      h->vpmovm2d(to, h->k1);
    } else {
      switch (predicate & 3) {
        case 0:
          h->vpcmpeqd(to, a, b);
          break;
        case 1:
          h->vpcmpgtd(to, b, a);
          break;
        default:
          h->vpcmpgtd(to, a, b);
      }
      const bool inverse = predicate == 2 || predicate == 4 || predicate == 5;
      if (inverse) h->vxorps(to, to, bits(0xffffffff));
    }
  }

  void neg_whole(const Vmm& to, const Vmm& x) {
    h->vpmaxsd(to, x, bits(0x80000001));  // of the smallest number there is no negative one
    h->vxorps(to, to, bits(0xffffffff));
    h->vpsubd(to, to, bits(0xffffffff));
  }

  void abs_whole(const Vmm& to, const Vmm& x) {
    h->vpmaxsd(to, x, bits(0x80000001));
    h->vpabsd(to, to);
  }

  /// Sums, differences and products that stop at the ends of 32 bits. `to` is none of the last three.
  void add_saturated(const Vmm& to, const Vmm& a, const Vmm& b, const Vmm& sum, const Vmm& mask, const Vmm& end) {
    h->vpaddd(sum, a, b);
    h->vxorps(mask, a, sum);
    h->vxorps(end, b, sum);
    saturate(to, sum, mask, end);
  }
  void sub_saturated(const Vmm& to, const Vmm& a, const Vmm& b, const Vmm& sum, const Vmm& mask, const Vmm& end) {
    h->vpsubd(sum, a, b);
    h->vxorps(mask, a, sum);
    h->vxorps(end, a, b);
    saturate(to, sum, mask, end);
  }
  void mul_saturated(const Vmm& to, const Vmm& a, const Vmm& b, const Vmm& even, const Vmm& odd, const Vmm& end) {
    h->vpmuldq(even, a, b);
    h->vpsrlq(odd, a, 32);
    h->vpsrlq(end, b, 32);
    h->vpmuldq(odd, odd, end);
    h->vpmulld(to, a, b);
    h->vpsrlq(even, even, 32);  // the upper halves of all products
    h->vpsrlq(odd, odd, 32);
    h->vpsllq(odd, odd, 32);
    h->vorps(even, even, odd);
    h->vpsrad(odd, to, 31);
    compare_whole(odd, odd, even, 0);
    h->vpsrad(end, even, 31);
    h->vxorps(end, end, bits(0x7fffffff));
    select(to, odd, to, end);
  }

  void shift_left(const Vmm& to, const Vmm& x, const Vmm& count) {
    h->vpmaxsd(to, count, bits(0));
    h->vpsllvd(to, x, to);
  }
  void shift_right(const Vmm& to, const Vmm& x, const Vmm& count) {
    h->vpmaxsd(to, count, bits(0));
    h->vpsravd(to, x, to);
  }

 private:
  // Coefficients, highest first, of polynomials fitted on these intervals.
  // e^x, |x| <= log(2) / 2.
  static constexpr float kExp[] = {0.00138147676f, 0.008368738f, 0.0416683853f, 0.166665211f, 0.49999994f, 1.0f, 1.0f};
  // tanh(x) / x - 1 in x^2, |x| < 0.625.
  static constexpr float kTanh[] = {0.00213821698f, -0.0081717791f, 0.0216982048f, -0.0539462529f, 0.133332014f, -0.333333313f, 0.0f};
  // erf(x) / x - 1 in x^2, |x| < 0.9.
  static constexpr float kErf[] = {-0.000611129159f, 0.00501622818f, -0.0267819576f, 0.112822302f, -0.376125336f, 0.128379151f};
  // log(1 - erf(x)), 0.9 <= x <= 4.
  static constexpr float kErfTail[] = {0.000198220703f, -0.00306549994f, 0.0223152488f, -0.104113743f, -0.636976004f, -1.12779725f, -0.000166439073f};
  // (log(1 + f) - f + f^2 / 2) / f^3.
  static constexpr float kLog[] = {-0.0763442963f, 0.127615497f, -0.131601945f, 0.142017618f, -0.166233569f, 0.200012267f, -0.250008225f, 0.333333313f};

  /// to := the polynomial in x.
  template <size_t N>
  void polynomial(const Vmm& to, const Vmm& x, const float (&factors)[N]) {
    h->vmovups(to, number(factors[0]));
    for (size_t i = 1; i < N; ++i) h->vfmadd213ps(to, x, number(factors[i]));
  }

  /// near := x + x p(x^2).
  template <size_t N>
  void near_zero(const Vmm& near, const Vmm& x, const Vmm& a, const float (&factors)[N]) {
    h->vmulps(a, x, x);
    polynomial(near, a, factors);
    h->vfmadd213ps(near, x, x);
  }

  /// sum, or where both `mask` and `end` are negative the end of 32 bits that it left.
  void saturate(const Vmm& to, const Vmm& sum, const Vmm& mask, const Vmm& end) {
    h->vandps(mask, mask, end);
    h->vpsrad(mask, mask, 31);
    h->vpsrad(end, sum, 31);
    h->vxorps(end, end, bits(0x80000000));
    select(to, mask, end, sum);
  }

  /// n := 2^n for whole n of a normal number.
  void power(const Vmm& n) {
    h->vcvtps2dq(n, n);
    h->vpaddd(n, n, bits(127));
    h->vpslld(n, n, 23);
  }
};

}  // namespace opkg

#endif  // OPKG_X64_FUNCTIONS_H_

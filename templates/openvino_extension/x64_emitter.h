// What emitters of ops share: the contract of OpenVINO's code generators (registers by their numbers, a table of constants
// behind the code), and functions that one instruction does not have. Vmm: Xbyak::Ymm with AVX2 and FMA, Xbyak::Zmm with
// AVX-512 F and DQ.
#ifndef OPKG_X64_EMITTER_H_
#define OPKG_X64_EMITTER_H_

#include <xbyak/xbyak.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace opkg {

template <typename Vmm>
class X64Emitter {
 public:
  static constexpr bool kIsZmm = std::is_same<Vmm, Xbyak::Zmm>::value;
  static constexpr size_t kLanes = kIsZmm ? 16 : 8;

  explicit X64Emitter(Xbyak::CodeGenerator* host) : h(host) {}
  virtual ~X64Emitter() = default;

  virtual size_t get_inputs_num() const = 0;
  virtual size_t aux_vecs_count() const = 0;
  size_t aux_gprs_count() const { return 1; }

  /// Emits the code for vectors of float32. The output of an op that has one may be a register of an input; others of these
  /// are not changed. With AVX-512 k1 is.
  void emit_code(const std::vector<size_t>& in, const std::vector<size_t>& out, const std::vector<size_t>& pool_vecs,
                 const std::vector<size_t>& pool_gprs) {
    std::vector<Vmm> aux;
    for (const size_t index : pool_vecs) {
      const bool taken = std::count(in.begin(), in.end(), index) + std::count(out.begin(), out.end(), index) != 0;
      if (!taken && aux.size() < aux_vecs_count()) aux.push_back(Vmm(static_cast<int>(index)));
    }
    if (aux.size() < aux_vecs_count() || pool_gprs.empty() || in.size() != get_inputs_num()) {
      throw std::invalid_argument("too few registers");
    }
    constants_ = Xbyak::Reg64(static_cast<int>(pool_gprs[0]));
    h->mov(constants_, table_);
    emit_impl(vectors(in), vectors(out), aux);
  }

  /// Emits the table of constants, once, where no code runs into it.
  void emit_data() {
    h->align(64);
    h->L(table_);
    for (const uint32_t bits : values_) {
      for (size_t lane = 0; lane < kLanes; ++lane) h->dd(bits);
    }
  }

 protected:
  virtual void emit_impl(const std::vector<Vmm>& in, const std::vector<Vmm>& out, const std::vector<Vmm>& aux) = 0;

  /// A constant in the table, as an operand.
  Xbyak::Address number(float value) {
    uint32_t held;
    std::memcpy(&held, &value, sizeof held);
    return bits(held);
  }
  Xbyak::Address bits(uint32_t value) {
    const auto place = std::find(values_.begin(), values_.end(), value) - values_.begin();
    if (static_cast<size_t>(place) == values_.size()) values_.push_back(value);
    return h->ptr[constants_ + static_cast<size_t>(place) * kLanes * sizeof(float)];
  }

  void move(const Vmm& to, const Vmm& from) {
    if (to.getIdx() != from.getIdx()) h->vmovups(to, from);
  }

  /// Rounds: 0 to the nearest, half to even; 1 down; 2 up; 3 to zero.
  void round(const Vmm& to, const Vmm& x, uint8_t way) {
    if constexpr (kIsZmm) {
      h->vrndscaleps(to, x, way);
    } else {
      h->vroundps(to, x, way);
    }
  }

  /// All bits of a lane where a comparison (the predicate of vcmpps) holds.
  void compare(const Vmm& to, const Vmm& a, const Xbyak::Operand& b, uint8_t predicate) {
    if constexpr (kIsZmm) {
      h->vcmpps(h->k1, a, b, predicate);
      h->vpmovm2d(to, h->k1);
    } else {
      h->vcmpps(to, a, b, predicate);
    }
  }

  /// then where the mask is set, else other.
  void select(const Vmm& to, const Vmm& mask, const Vmm& then, const Vmm& other) {
    if constexpr (kIsZmm) {
      h->vpmovd2m(h->k1, mask);
      h->vblendmps(to | h->k1, other, then);
    } else {
      h->vblendvps(to, other, then, mask);
    }
  }

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

  Xbyak::CodeGenerator* h;

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

  /// n := 2^n for whole n of a normal number.
  void power(const Vmm& n) {
    h->vcvtps2dq(n, n);
    h->vpaddd(n, n, bits(127));
    h->vpslld(n, n, 23);
  }

  static std::vector<Vmm> vectors(const std::vector<size_t>& indices) {
    std::vector<Vmm> found;
    for (const size_t index : indices) found.push_back(Vmm(static_cast<int>(index)));
    return found;
  }

  Xbyak::Reg64 constants_;
  Xbyak::Label table_;
  std::vector<uint32_t> values_;
};

}  // namespace opkg

#endif  // OPKG_X64_EMITTER_H_

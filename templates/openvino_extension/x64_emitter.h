// What emitters of ops share: the contract of OpenVINO's code generators (registers by their numbers, a table of constants
// behind the code), and what differs from one instruction set to the other. Vmm: Xbyak::Ymm with AVX2 and FMA, Xbyak::Zmm with
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

/// Elements of a row in memory. Bytes are widened to 32 bits when they are loaded, and saturated when they are stored.
enum class X64Element { kF32,
                        kI32,
                        kI8,
                        kU8 };

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

  /// Emits the code for vectors of float32, or of whole numbers of 32 bits. The output of an op that has one may be a register of an input; others of these
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

  Xbyak::CodeGenerator* h;

 private:
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

// Runs an emitter by itself: a function of rows, a loop of whole vectors and what is left with a mask.
#ifndef OPKG_X64_ROWS_H_
#define OPKG_X64_ROWS_H_

#include <xbyak/xbyak_util.h>

#include <memory>

#include "opkg/x64_emitter.h"

namespace opkg {

/// The elements of the emitter's tensors, inputs first; an emitter that does not say has float32.
template <typename Op, typename = void>
struct X64Elements {
  static X64Element at(size_t) { return X64Element::kF32; }
};
template <typename Op>
struct X64Elements<Op, std::void_t<decltype(Op::kElements)>> {
  static X64Element at(size_t place) { return Op::kElements[place]; }
};

/// void (*)(const void* const* inputs, void* const* outputs, size_t count), in the System V calling convention.
template <template <typename> class Op, typename Vmm>
class X64Rows : public Xbyak::CodeGenerator {
 public:
  using Function = void (*)(const void* const* inputs, void* const* outputs, size_t count);

  /// Whether this processor has the instructions.
  static bool runs() {
    const Xbyak::util::Cpu cpu;
    if (kIsZmm) return cpu.has(Xbyak::util::Cpu::tAVX512F) && cpu.has(Xbyak::util::Cpu::tAVX512DQ);
    return cpu.has(Xbyak::util::Cpu::tAVX2) && cpu.has(Xbyak::util::Cpu::tFMA);
  }

  template <typename... Params>
  explicit X64Rows(size_t outputs, const Params&... params) : CodeGenerator(1 << 16), op_(this, params...) {
    const size_t inputs = op_.get_inputs_num();
    if (inputs + outputs > sizeof kRows / sizeof kRows[0]) throw std::invalid_argument("too many tensors");
    for (size_t i = 0; i < inputs; ++i) in_.push_back(i);
    for (size_t i = 0; i < outputs; ++i) out_.push_back(inputs + i);
    const size_t all = kIsZmm ? 32 : 15;  // 15: the mask of the rest
    for (size_t i = inputs + outputs; i < all; ++i) pool_.push_back(i);
    Xbyak::Label loop, rest, end;
    for (const int index : kSaved) push(Xbyak::Reg64(index));
    for (size_t i = 0; i < inputs; ++i) mov(row(i), ptr[rdi + 8 * i]);
    for (size_t i = 0; i < outputs; ++i) mov(row(inputs + i), ptr[rsi + 8 * i]);
    xor_(ecx, ecx);
    L(loop);
    cmp(rdx, kLanes);
    jb(rest, T_NEAR);
    step(false);
    add(rcx, kLanes);
    sub(rdx, kLanes);
    jmp(loop, T_NEAR);
    L(rest);
    test(rdx, rdx);
    jz(end, T_NEAR);
    set_mask();
    step(true);
    L(end);
    for (size_t i = sizeof kSaved / sizeof kSaved[0]; i-- > 0;) pop(Xbyak::Reg64(kSaved[i]));
    vzeroupper();
    ret();
    op_.emit_data();
    align(64);
    L(mask_);
    for (int lane = 0; lane < 16; ++lane) dd(lane < 8 ? 0xffffffffu : 0);
  }

  Function function() { return getCode<Function>(); }

 private:
  static constexpr bool kIsZmm = X64Emitter<Vmm>::kIsZmm;
  static constexpr size_t kLanes = X64Emitter<Vmm>::kLanes;
  static constexpr int kRows[] = {8, 9, 10, 11, 3, 12, 13, 14};
  static constexpr int kSaved[] = {3, 12, 13, 14};
  static constexpr int kBytes = -16;  // from rsp: where the rest of a row of bytes is put together with AVX2

  Xbyak::Reg64 row(size_t place) const { return Xbyak::Reg64(kRows[place]); }
  static X64Element element(size_t place) { return X64Elements<Op<Vmm>>::at(place); }
  static bool is_byte(size_t place) { return element(place) == X64Element::kI8 || element(place) == X64Element::kU8; }

  void set_mask() {
    if constexpr (kIsZmm) {
      mov(eax, -1);
      bzhi(eax, eax, edx);
      kmovw(k2, eax);
    } else {
      mov(rax, mask_);
      shl(rdx, 2);
      sub(rax, rdx);
      shr(rdx, 2);
      vmovups(ymm15, ptr[rax + 8 * sizeof(float)]);
    }
  }

  void step(bool masked) {
    for (const size_t i : in_) {
      if (is_byte(i)) {
        load_bytes(i, masked);
      } else {
        load(i, masked);
      }
    }
    op_.emit_code(in_, out_, pool_, {static_cast<size_t>(rax.getIdx())});
    for (const size_t i : out_) {
      if (is_byte(i)) {
        store_bytes(i, masked);
      } else {
        store(i, masked);
      }
    }
  }

  void load(size_t place, bool masked) {
    const Vmm to(static_cast<int>(place));
    const Xbyak::Address from = ptr[row(place) + rcx * 4];
    if (!masked) {
      vmovups(to, from);
    } else if constexpr (kIsZmm) {
      vmovups(to | k2 | T_z, from);
    } else {
      vmaskmovps(to, ymm15, from);
    }
  }

  void store(size_t place, bool masked) {
    const Vmm from(static_cast<int>(place));
    const Xbyak::Address to = ptr[row(place) + rcx * 4];
    if (!masked) {
      vmovups(to, from);
    } else if constexpr (kIsZmm) {
      vmovups(to | k2, from);
    } else {
      vmaskmovps(to, ymm15, from);
    }
  }

  void load_bytes(size_t place, bool masked) {
    const Vmm to(static_cast<int>(place));
    Xbyak::Address from = ptr[row(place) + rcx];
    if constexpr (kIsZmm) {
      const Vmm lanes = masked ? to | k2 | T_z : to;
      widen(lanes, from, place);
    } else {
      if (masked) copy_bytes(rsp + kBytes, row(place) + rcx);
      widen(to, masked ? ptr[rsp + kBytes] : from, place);
    }
  }

  void widen(const Vmm& to, const Xbyak::Address& from, size_t place) {
    if (element(place) == X64Element::kU8) {
      vpmovzxbd(to, from);
    } else {
      vpmovsxbd(to, from);
    }
  }

  void store_bytes(size_t place, bool masked) {
    const Vmm from(static_cast<int>(place));
    const bool is_unsigned = element(place) == X64Element::kU8;
    if constexpr (kIsZmm) {
      const Vmm zero(static_cast<int>(pool_[0]));
      Xbyak::Address to = ptr[row(place) + rcx];
      if (masked) to = to | k2;
      if (is_unsigned) {
        vpxord(zero, zero, zero);
        vpmaxsd(from, from, zero);
        vpmovusdb(to, from);
      } else {
        vpmovsdb(to, from);
      }
    } else {
      const Xbyak::Xmm low(static_cast<int>(place)), high(static_cast<int>(pool_[0]));
      vextracti128(high, from, 1);
      vpackssdw(low, low, high);
      if (is_unsigned) {
        vpackuswb(low, low, low);
      } else {
        vpacksswb(low, low, low);
      }
      vmovq(masked ? ptr[rsp + kBytes] : ptr[row(place) + rcx], low);
      if (masked) copy_bytes(row(place) + rcx, rsp + kBytes);
    }
  }

  /// Copies the rdx bytes of the rest, fewer than a vector has.
  void copy_bytes(const Xbyak::RegExp& to, const Xbyak::RegExp& from) {
    Xbyak::Label done;
    for (size_t i = 0; i + 1 < kLanes; ++i) {
      cmp(rdx, i);
      je(done, T_NEAR);
      mov(al, ptr[from + i]);
      mov(ptr[to + i], al);
    }
    L(done);
  }

  Op<Vmm> op_;
  std::vector<size_t> in_, out_, pool_;
  Xbyak::Label mask_;
};

}  // namespace opkg

#endif  // OPKG_X64_ROWS_H_

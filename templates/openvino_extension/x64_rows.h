// Runs an emitter by itself: a function of rows of float32, a loop of whole vectors and what is left with a mask.
#ifndef OPKG_X64_ROWS_H_
#define OPKG_X64_ROWS_H_

#include <xbyak/xbyak_util.h>

#include <memory>

#include "opkg/x64_emitter.h"

namespace opkg {

/// void (*)(const float* const* inputs, float* const* outputs, size_t count), in the System V calling convention.
template <template <typename> class Op, typename Vmm>
class X64Rows : public Xbyak::CodeGenerator {
 public:
  using Function = void (*)(const float* const* inputs, float* const* outputs, size_t count);

  /// Whether this processor has the instructions.
  static bool runs() {
    const Xbyak::util::Cpu cpu;
    if (X64Emitter<Vmm>::kIsZmm) return cpu.has(Xbyak::util::Cpu::tAVX512F) && cpu.has(Xbyak::util::Cpu::tAVX512DQ);
    return cpu.has(Xbyak::util::Cpu::tAVX2) && cpu.has(Xbyak::util::Cpu::tFMA);
  }

  template <typename... Params>
  explicit X64Rows(size_t outputs, const Params&... params) : CodeGenerator(1 << 16), op_(this, params...) {
    const size_t inputs = op_.get_inputs_num();
    if (inputs + outputs > sizeof kRows / sizeof kRows[0]) throw std::invalid_argument("too many tensors");
    for (size_t i = 0; i < inputs; ++i) in_.push_back(i);
    for (size_t i = 0; i < outputs; ++i) out_.push_back(inputs + i);
    const size_t all = X64Emitter<Vmm>::kIsZmm ? 32 : 15;  // 15: the mask of the rest
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
    add(rcx, kLanes * sizeof(float));
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
  static constexpr size_t kLanes = X64Emitter<Vmm>::kLanes;
  static constexpr int kRows[] = {8, 9, 10, 11, 3, 12, 13, 14};
  static constexpr int kSaved[] = {3, 12, 13, 14};

  Xbyak::Reg64 row(size_t place) const { return Xbyak::Reg64(kRows[place]); }

  void set_mask() {
    if constexpr (X64Emitter<Vmm>::kIsZmm) {
      mov(eax, -1);
      bzhi(eax, eax, edx);
      kmovw(k2, eax);
    } else {
      mov(rax, mask_);
      shl(rdx, 2);
      sub(rax, rdx);
      vmovups(ymm15, ptr[rax + 8 * sizeof(float)]);
    }
  }

  void step(bool masked) {
    for (const size_t i : in_) {
      const Vmm to(static_cast<int>(i));
      const Xbyak::Address from = ptr[row(i) + rcx];
      if (!masked) {
        vmovups(to, from);
      } else if constexpr (X64Emitter<Vmm>::kIsZmm) {
        vmovups(to | k2 | T_z, from);
      } else {
        vmaskmovps(to, ymm15, from);
      }
    }
    op_.emit_code(in_, out_, pool_, {static_cast<size_t>(rax.getIdx())});
    for (const size_t i : out_) {
      const Vmm from(static_cast<int>(i));
      const Xbyak::Address to = ptr[row(i) + rcx];
      if (!masked) {
        vmovups(to, from);
      } else if constexpr (X64Emitter<Vmm>::kIsZmm) {
        vmovups(to | k2, from);
      } else {
        vmaskmovps(to, ymm15, from);
      }
    }
  }

  Op<Vmm> op_;
  std::vector<size_t> in_, out_, pool_;
  Xbyak::Label mask_;
};

}  // namespace opkg

#endif  // OPKG_X64_ROWS_H_

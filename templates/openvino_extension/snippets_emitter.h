// An emitter in a tree of OpenVINO: the base class of its CPU plugin around those of both instruction sets.
#ifndef OPKG_SNIPPETS_EMITTER_H_
#define OPKG_SNIPPETS_EMITTER_H_

#include <memory>
#include <set>
#include <vector>

#include "emitters/plugin/x64/jit_emitter.hpp"
#include "openvino/core/except.hpp"
#include "opkg/x64_emitter.h"

namespace opkg {

/// `Op`: the emitter of vectors; it has `Inputs` of float32.
template <template <typename> class Op, size_t Inputs>
class SnippetsEmitter : public ov::intel_cpu::jit_emitter {
 public:
  /// `params`: in the order of the op's.
  template <typename Host, typename... Numbers>
  SnippetsEmitter(Host* host, dnnl::impl::cpu::x64::cpu_isa_t isa, Numbers... params) : jit_emitter(host, isa) {
    if (isa == dnnl::impl::cpu::x64::avx512_core) {
      zmm_ = made<Xbyak::Zmm>(host, params...);
    } else if (isa == dnnl::impl::cpu::x64::avx2) {
      ymm_ = made<Xbyak::Ymm>(host, params...);
    } else {
      OPENVINO_THROW("the op has code for AVX2 and AVX-512 only");
    }
  }

  size_t get_inputs_num() const override { return Inputs; }
  size_t aux_vecs_count() const override { return zmm_ ? zmm_->aux_vecs_count() : ymm_->aux_vecs_count(); }

  void emit_data() const override {
    if (zmm_) {
      zmm_->emit_data();
    } else {
      ymm_->emit_data();
    }
  }

  static std::set<std::vector<ov::element::Type>> get_supported_precisions(const std::shared_ptr<ov::Node>& = nullptr) {
    return {std::vector<ov::element::Type>(Inputs, ov::element::f32)};
  }

 protected:
  size_t aux_gprs_count() const override { return 1; }

  void emit_impl(const std::vector<size_t>& in, const std::vector<size_t>& out) const override {
    if (zmm_) {
      zmm_->emit_code(in, out, aux_vec_idxs, aux_gpr_idxs);
    } else {
      ymm_->emit_code(in, out, aux_vec_idxs, aux_gpr_idxs);
    }
  }

 private:
  template <typename Vmm, typename... Numbers>
  static std::unique_ptr<Op<Vmm>> made(Xbyak::CodeGenerator* host, Numbers... params) {
    if constexpr (sizeof...(params) == 0) {
      return std::make_unique<Op<Vmm>>(host);
    } else {
      return std::make_unique<Op<Vmm>>(host, typename Op<Vmm>::Params{params...});
    }
  }

  std::unique_ptr<Op<Xbyak::Ymm>> ymm_;
  std::unique_ptr<Op<Xbyak::Zmm>> zmm_;
};

}  // namespace opkg

#endif  // OPKG_SNIPPETS_EMITTER_H_

// A stand-in for the base class of emitters in OpenVINO's CPU plugin: its names and what it promises, in our own words.
#pragma once

#include <xbyak/xbyak.h>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "openvino/core/node.hpp"

namespace dnnl::impl::cpu::x64 {
enum cpu_isa_t { sse41, avx2, avx512_core };
class jit_generator_t : public Xbyak::CodeGenerator {
 public:
  jit_generator_t() : CodeGenerator(1 << 16) {}
};
}  // namespace dnnl::impl::cpu::x64

namespace ov::snippets {
class Emitter {
 public:
  virtual ~Emitter() = default;
  virtual void emit_code(const std::vector<size_t>& in, const std::vector<size_t>& out, const std::vector<size_t>& pool_vecs,
                         const std::vector<size_t>& pool_gprs) const = 0;
  virtual void emit_data() const {}
};
}  // namespace ov::snippets

namespace ov::intel_cpu {
// Takes vectors from the pool, and general registers, of which those beside the pool are saved.
class jit_emitter : public ov::snippets::Emitter {
 public:
  jit_emitter(dnnl::impl::cpu::x64::jit_generator_t* host, dnnl::impl::cpu::x64::cpu_isa_t isa) : h(host), host_isa_(isa) {}

  void emit_code(const std::vector<size_t>& in, const std::vector<size_t>& out, const std::vector<size_t>& pool_vecs = {},
                 const std::vector<size_t>& pool_gprs = {}) const override {
    aux_vec_idxs = pool_vecs;
    aux_gpr_idxs = pool_gprs;
    std::vector<size_t> saved;
    for (size_t index = 15; aux_gpr_idxs.size() < aux_gprs_count(); --index) {
      saved.push_back(index);
      aux_gpr_idxs.push_back(index);
    }
    for (const size_t index : saved) h->push(Xbyak::Reg64(static_cast<int>(index)));
    emit_impl(in, out);
    for (size_t i = saved.size(); i-- > 0;) h->pop(Xbyak::Reg64(static_cast<int>(saved[i])));
  }

  virtual size_t get_inputs_num() const = 0;
  virtual size_t aux_vecs_count() const { return 0; }

 protected:
  virtual size_t aux_gprs_count() const { return 0; }
  virtual void emit_impl(const std::vector<size_t>& in, const std::vector<size_t>& out) const = 0;

  dnnl::impl::cpu::x64::jit_generator_t* h;
  dnnl::impl::cpu::x64::cpu_isa_t host_isa_;
  mutable std::vector<size_t> aux_vec_idxs;
  mutable std::vector<size_t> aux_gpr_idxs;
};
}  // namespace ov::intel_cpu

// Runs the emitters as a kernel of the plugin would: made by the ops' nodes, in both instruction sets. Prints inputs and outputs.
#include <xbyak/xbyak_util.h>

#include <cstdio>

#include "emitters/plugin/x64/acme_nn/jit_gate_emitter.hpp"
#include "emitters/plugin/x64/acme_nn/jit_gelu_emitter.hpp"
#include "openvino/op/parameter.hpp"

using dnnl::impl::cpu::x64::cpu_isa_t;

template <typename Vmm>
bool run(const char* name, cpu_isa_t isa, const std::shared_ptr<ov::Node>& node,
         std::shared_ptr<ov::intel_cpu::jit_emitter> (*make)(dnnl::impl::cpu::x64::jit_generator_t*, cpu_isa_t,
                                                             const std::shared_ptr<ov::Node>&)) {
  dnnl::impl::cpu::x64::jit_generator_t host;
  const auto emitter = make(&host, isa, node);
  const size_t inputs = node->get_input_size(), lanes = isa == dnnl::impl::cpu::x64::avx2 ? 8 : 16;
  if (emitter->get_inputs_num() != inputs) return false;
  const Xbyak::Reg64 rows[] = {host.rdi, host.rsi};
  std::vector<size_t> in, pool;
  for (size_t i = 0; i < inputs; ++i) {
    host.vmovups(Vmm(static_cast<int>(i)), host.ptr[rows[i]]);
    in.push_back(i);
  }
  for (size_t i = 0; i < emitter->aux_vecs_count(); ++i) pool.push_back(4 + i);
  emitter->emit_code(in, {3}, pool);
  host.vmovups(host.ptr[host.rdx], Vmm(3));
  host.vzeroupper();
  host.ret();
  emitter->emit_data();
  float a[16], b[16], y[16];
  for (int i = 0; i < 16; ++i) {
    a[i] = 0.7f * static_cast<float>(i) - 4;
    b[i] = 5 - 0.9f * static_cast<float>(i);
  }
  host.getCode<void (*)(const float*, const float*, float*)>()(a, b, y);
  for (size_t i = 0; i < lanes; ++i) std::printf("%s %d %.9g %.9g %.9g\n", name, isa, a[i], b[i], y[i]);
  return true;
}

template <typename Emitter>
std::shared_ptr<ov::intel_cpu::jit_emitter> make(dnnl::impl::cpu::x64::jit_generator_t* host, cpu_isa_t isa,
                                                 const std::shared_ptr<ov::Node>& node) {
  return std::make_shared<Emitter>(host, isa, node);
}

int main() {
  const Xbyak::util::Cpu cpu;
  const auto x = std::make_shared<ov::op::v0::Parameter>(ov::element::f32, ov::PartialShape{-1, 16});
  acme_nn::Gate::Params params;
  params.alpha = 0.25f;
  params.n = -2;
  const std::shared_ptr<ov::Node> gate = std::make_shared<acme_nn::Gate>(ov::OutputVector{x, x}, params);
  const std::shared_ptr<ov::Node> gelu = std::make_shared<acme_nn::Gelu>(ov::OutputVector{x});
  bool fine = acme_nn::JitGateEmitter::get_supported_precisions(gate).begin()->size() == 2;
  if (cpu.has(Xbyak::util::Cpu::tAVX2)) {
    fine &= run<Xbyak::Ymm>("Gate", dnnl::impl::cpu::x64::avx2, gate, make<acme_nn::JitGateEmitter>);
    fine &= run<Xbyak::Ymm>("Gelu", dnnl::impl::cpu::x64::avx2, gelu, make<acme_nn::JitGeluEmitter>);
  }
  if (cpu.has(Xbyak::util::Cpu::tAVX512F) && cpu.has(Xbyak::util::Cpu::tAVX512DQ)) {
    fine &= run<Xbyak::Zmm>("Gate", dnnl::impl::cpu::x64::avx512_core, gate, make<acme_nn::JitGateEmitter>);
    fine &= run<Xbyak::Zmm>("Gelu", dnnl::impl::cpu::x64::avx512_core, gelu, make<acme_nn::JitGeluEmitter>);
  }
  try {
    dnnl::impl::cpu::x64::jit_generator_t host;
    acme_nn::JitGeluEmitter refused(&host, dnnl::impl::cpu::x64::sse41, gelu);
    fine = false;
  } catch (const ov::Exception&) {
  }
  return fine ? 0 : 1;
}

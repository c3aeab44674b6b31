// Runs elementwise kernels written by hand on tensors that stand between unmapped pages. test_kernels_rows.py drives it.
#include "opkg/rows.h"

#ifdef __hexagon__
extern "C" long opkg_read(int, void*, size_t);
extern "C" int opkg_write_all(int, const void*, size_t);
extern "C" long opkg_system_call(long, long, long, long, long, long, long);
static long get(void* to, size_t n) { return opkg_read(0, to, n); }
static void put(const void* from, size_t n) { opkg_write_all(1, from, n); }
static uint8_t* map(size_t n) { return reinterpret_cast<uint8_t*>(opkg_system_call(222, 0, n, 3, 0x22, -1, 0)); }
static void unmap(uint8_t* at, size_t n) { opkg_system_call(215, reinterpret_cast<long>(at), n, 0, 0, 0, 0); }
#else
#include <sys/mman.h>
#include <unistd.h>
static long get(void* to, size_t n) { return read(0, to, n); }
static void put(const void* from, size_t n) {
  while (n > 0) {
    const ssize_t done = write(1, from, n);
    if (done <= 0) _exit(3);
    from = static_cast<const char*>(from) + done, n -= static_cast<size_t>(done);
  }
}
static uint8_t* map(size_t n) {
  return static_cast<uint8_t*>(mmap(nullptr, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}
static void unmap(uint8_t* at, size_t n) { mprotect(at, n, PROT_NONE); }
#endif

static bool take(void* to, size_t n) {
  while (n > 0) {
    const long done = get(to, n);
    if (done <= 0) return false;
    to = static_cast<char*>(to) + done, n -= static_cast<size_t>(done);
  }
  return true;
}

static uint32_t vector_calls, portable_calls;

using opkg::hvx::In;
using opkg::hvx::Out;
using opkg::hvx::Path;

/// y = f(inputs) on elements of one type T. Base: count, sets of inputs, f on one element and on a vector.
template <typename Base>
struct Same : Base {
  using T = typename Base::T;
  static constexpr uint32_t kStep = 128 / sizeof(T);
  static constexpr uint32_t kOutputs = 1;

  void portable(const void* const* in, const uint32_t* step, void* const* out, size_t n) const {
    ++portable_calls;
    for (size_t i = 0; i < n; ++i) {
      T x[8] = {};
      for (uint32_t k = 0; k < Base::kInputs; ++k) x[k] = static_cast<const T*>(in[k])[i * step[k]];
      static_cast<T*>(out[0])[i] = Base::one(x);
    }
  }
  template <uint32_t kFixed, uint32_t kWalk>
  bool vector(const void* const* in, void* const* out, size_t n, const Path* path) const {
    ++vector_calls;
    return row<kFixed, kWalk>(in, Out<T, kStep, kWalk>(out[0], n, path + Base::kInputs), n, path);
  }
  template <uint32_t kFixed, uint32_t kWalk, typename... Inputs>  // those that are there, one more with each call
  bool row(const void* const* in, Out<T, kStep, kWalk> y, size_t n, const Path* path, Inputs... inputs) const {
    constexpr uint32_t kIndex = sizeof...(Inputs);  // of the next input
    if constexpr (kIndex < Base::kInputs) {
      const In<T, kStep, kWalk, (kFixed >> kIndex & 1) != 0> input(in[kIndex], n, path + kIndex);
      return row<kFixed, kWalk>(in, y, n, path, inputs..., input);
    } else {
      bool redo = false;
      const auto one = [&](const HVX_Vector* x) {
        if (Base::kTrap != 0) redo |= opkg::hvx::any(Q6_Q_vcmp_eq_VbVb(x[0], Q6_V_vsplat_R(Base::kTrap * 0x01010101)));
        return Base::many(x);
      };
      const auto step = [&](size_t i) {
        const HVX_Vector x[8] = {inputs.at(i, 0)...};
        y.put(i, 0, one(x));
      };
      constexpr uint32_t kTurn = opkg::rowwise::TurnOf<Base>::value;
      opkg::hvx::each_step<kWalk, kTurn != 0 ? kTurn : 2>(n / kStep, step, y, inputs...);
      if (n % kStep != 0) {
        const HVX_Vector x[8] = {inputs.tail(0)...};
        y.put_tail(0, one(x));
      }
      return !redo;
    }
  }
};

struct Three {
  using T = uint8_t;
  static constexpr uint32_t kInputs = 3, kMayBroadcast = 7, kTrap = 0;
  static T one(const T* x) { return static_cast<T>(x[0] + 2 * x[1] - x[2]); }
  static HVX_Vector many(const HVX_Vector* x) {
    return Q6_Vb_vsub_VbVb(Q6_Vb_vadd_VbVb(x[0], Q6_Vb_vadd_VbVb(x[1], x[1])), x[2]);
  }
};
struct Five : Three {
  static constexpr uint32_t kInputs = 5, kMayBroadcast = 31;
  static T one(const T* x) { return static_cast<T>(x[0] + 2 * x[1] - x[2] + x[3] - 2 * x[4]); }
  static HVX_Vector many(const HVX_Vector* x) {
    return Q6_Vb_vsub_VbVb(Q6_Vb_vadd_VbVb(Three::many(x), x[3]), Q6_Vb_vadd_VbVb(x[4], x[4]));
  }
};
struct Two : Three {  // what repeats is read from memory
  static constexpr uint32_t kInputs = 2, kMayBroadcast = 3, kTurn = 8;
  static T one(const T* x) { return static_cast<T>(x[0] + 2 * x[1]); }
  static HVX_Vector many(const HVX_Vector* x) { return Q6_Vb_vadd_VbVb(x[0], Q6_Vb_vadd_VbVb(x[1], x[1])); }
};
struct Strict : Three {  // says that nothing broadcasts
  static constexpr uint32_t kMayBroadcast = 0;
};
struct Trapped : Three {  // a row with 255 in it has wrong results, and says so
  static constexpr uint32_t kTrap = 255;
  static HVX_Vector many(const HVX_Vector* x) {
    return Q6_V_vmux_QVV(Q6_Q_vcmp_eq_VbVb(x[0], Q6_V_vsplat_R(-1)), x[0], Three::many(x));
  }
};
struct Half : Three {
  using T = uint16_t;
  static T one(const T* x) { return static_cast<T>(x[0] + 2 * x[1] - x[2]); }
  static HVX_Vector many(const HVX_Vector* x) {
    return Q6_Vh_vsub_VhVh(Q6_Vh_vadd_VhVh(x[0], Q6_Vh_vadd_VhVh(x[1], x[1])), x[2]);
  }
};
struct Word : Three {
  using T = uint32_t;
  static T one(const T* x) { return x[0] + 2 * x[1] - x[2]; }
  static HVX_Vector many(const HVX_Vector* x) {
    return Q6_Vw_vsub_VwVw(Q6_Vw_vadd_VwVw(x[0], Q6_Vw_vadd_VwVw(x[1], x[1])), x[2]);
  }
};
struct Nothing : Three {
  static constexpr uint32_t kInputs = 0, kMayBroadcast = 0;
  static T one(const T*) { return 7; }
  static HVX_Vector many(const HVX_Vector*) { return Q6_V_vsplat_R(0x07070707); }
};

/// y (u16) = a (u8) + b (u16), z (u8) = ~a: elements of two sizes, two outputs.
struct Mixed {
  static constexpr uint32_t kStep = 128, kInputs = 2, kOutputs = 2, kMayBroadcast = 3;
  void portable(const void* const* in, const uint32_t* step, void* const* out, size_t n) const {
    ++portable_calls;
    for (size_t i = 0; i < n; ++i) {
      const uint8_t a = static_cast<const uint8_t*>(in[0])[i * step[0]];
      static_cast<uint16_t*>(out[0])[i] = static_cast<uint16_t>(a + static_cast<const uint16_t*>(in[1])[i * step[1]]);
      static_cast<uint8_t*>(out[1])[i] = static_cast<uint8_t>(~a);
    }
  }
  template <uint32_t kFixed, uint32_t kWalk>
  bool vector(const void* const* in, void* const* out, size_t n, const Path* path) const {
    ++vector_calls;
    In<uint8_t, kStep, kWalk, (kFixed & 1) != 0> a(in[0], n, path);
    In<uint16_t, kStep, kWalk, (kFixed & 2) != 0> b(in[1], n, path + 1);
    Out<uint16_t, kStep, kWalk> y(out[0], n, path + 2);
    Out<uint8_t, kStep, kWalk> z(out[1], n, path + 3);
    const auto step = [&](size_t i) {
      const HVX_Vector a0 = a.at(i, 0), b0 = b.at(i, 0), b1 = b.at(i, 1);
      const HVX_VectorPair wide = Q6_Wuh_vunpack_Vub(a0);
      y.put(i, 0, Q6_Vh_vadd_VhVh(Q6_V_lo_W(wide), b0));
      y.put(i, 1, Q6_Vh_vadd_VhVh(Q6_V_hi_W(wide), b1));
      z.put(i, 0, Q6_V_vnot_V(a0));
    };
    opkg::hvx::each_step<kWalk, 2>(n / kStep, step, y, z, a, b);
    if (n % kStep != 0) {
      const HVX_Vector a0 = a.tail(0), b0 = b.tail(0), b1 = b.tail(1);
      const HVX_VectorPair wide = Q6_Wuh_vunpack_Vub(a0);
      y.put_tail(0, Q6_Vh_vadd_VhVh(Q6_V_lo_W(wide), b0));
      y.put_tail(1, Q6_Vh_vadd_VhVh(Q6_V_hi_W(wide), b1));
      z.put_tail(0, Q6_V_vnot_V(a0));
    }
    return true;
  }
};

struct MixedTurns : Mixed {
  static constexpr uint32_t kTurn = 2;
  static constexpr uint32_t kShifted = 4;
};

/// No vector code at all.
struct Plain {
  static constexpr uint32_t kStep = 128, kInputs = 2, kOutputs = 1, kMayBroadcast = 3;
  void portable(const void* const* in, const uint32_t* step, void* const* out, size_t n) const {
    ++portable_calls;
    for (size_t i = 0; i < n; ++i) {
      static_cast<uint8_t*>(out[0])[i] = static_cast<uint8_t>(
          static_cast<const uint8_t*>(in[0])[i * step[0]] + 2 * static_cast<const uint8_t*>(in[1])[i * step[1]]);
    }
  }
};

// Memory --------------------------------------------------------------------------------------------------------------

constexpr size_t kPage = 65536, kRoom = 10 * kPage;

/// Mapped memory between two holes. Everything in it that is not taken keeps its fill.
struct Arena {
  uint8_t* begin = nullptr;

  uint8_t* place(size_t bytes, uint32_t shift, bool high) {
    if (begin == nullptr) {
      uint8_t* all = map(kRoom + 3 * kPage);
      all += kPage - reinterpret_cast<uintptr_t>(all) % kPage;
      unmap(all, kPage), unmap(all + kPage + kRoom, kPage);
      begin = all + kPage;
    }
    const size_t lines = (shift + bytes + 127) / 128 * 128;
    if (lines > kRoom) return nullptr;
    memset(begin, 0xa5, high ? 8192 : lines + 256);
    memset(begin + kRoom - lines - (lines + 256 <= kRoom ? 256 : 0), 0xa5, lines + (lines + 256 <= kRoom ? 256 : 0));
    return (high ? begin + kRoom - lines : begin) + shift;
  }

  bool intact(const uint8_t* at, size_t bytes, bool high) const {
    const uint8_t* from = high ? at - (at - begin < 256 ? at - begin : 256) : begin;
    const uint8_t* until = high ? begin + kRoom : at + bytes + 128;
    for (; from < until && from < begin + kRoom; ++from) {
      if ((from < at || from >= at + bytes) && *from != 0xa5) return false;
    }
    return true;
  }
};

struct Head {
  uint32_t kernel, vectors, high, slices, in_place, operands;
};
struct Shape {
  uint32_t bytes, shift, crouton, rank, dims[6];
};

static Arena arenas[8];
static void* tables[8][4096];

template <typename Rows>
static uint32_t run(const Head& head, const opkg::Operand* o) {
  uint32_t status = 0;
  for (uint32_t k = 0; k < head.slices; ++k) {
    const opkg::Slice slice{k, head.slices};
    if constexpr (Rows::kInputs == 0) status |= (uint32_t)opkg::elementwise(Rows(), head.vectors, {}, {o[0]}, slice);
    if constexpr (Rows::kInputs == 2 && Rows::kOutputs == 1) {
      status |= (uint32_t)opkg::elementwise(Rows(), head.vectors, {o[0], o[1]}, {o[2]}, slice);
    }
    if constexpr (Rows::kInputs == 2 && Rows::kOutputs == 2) {
      status |= (uint32_t)opkg::elementwise(Rows(), head.vectors, {o[0], o[1]}, {o[2], o[3]}, slice);
    }
    if constexpr (Rows::kInputs == 3) {
      status |= (uint32_t)opkg::elementwise(Rows(), head.vectors, {o[0], o[1], o[2]}, {o[3]}, slice);
    }
    if constexpr (Rows::kInputs == 5) {
      status |= (uint32_t)opkg::elementwise(Rows(), head.vectors, {o[0], o[1], o[2], o[3], o[4]}, {o[5]}, slice);
    }
  }
  return status;
}

int main() {
  static const struct { uint32_t (*run)(const Head&, const opkg::Operand*); uint32_t outputs; } kKernels[] = {
      {run<Same<Three>>, 1}, {run<Same<Five>>, 1}, {run<Same<Strict>>, 1}, {run<Same<Trapped>>, 1}, {run<Same<Half>>, 1},
      {run<Same<Word>>, 1},  {run<Same<Nothing>>, 1}, {run<Mixed>, 2}, {run<Plain>, 1}, {run<Same<Two>>, 1}, {run<MixedTurns>, 2}};
  Head head;
  while (take(&head, sizeof head)) {
    opkg::Operand operands[8];
    size_t sizes[8];
    uint8_t* places[8];
    const uint32_t inputs = head.operands - kKernels[head.kernel].outputs;
    for (uint32_t i = 0; i < head.operands; ++i) {
      Shape shape;
      if (!take(&shape, sizeof shape)) return 2;
      opkg::Operand& o = operands[i];
      o.bytes = shape.bytes, o.rank = shape.rank;
      memcpy(o.dims, shape.dims, sizeof o.dims);
      sizes[i] = shape.bytes;
      for (uint32_t k = 0; k < shape.rank; ++k) {
        const uint32_t unit = !shape.crouton || k == 0 ? 1 : k == 1 ? 8 : k == 2 ? 8 / shape.bytes : 32;
        const uint32_t padded = (shape.dims[k] + unit - 1) / unit * unit;
        if (k < 4) o.padded[k] = padded;
        sizes[i] *= padded;
      }
      const bool shared = head.in_place != 0 && i == inputs;
      places[i] = shared ? places[0] : arenas[i].place(sizes[i], shape.shift, head.high != 0);
      if (places[i] == nullptr) return 4;
      o.data = places[i];
      if (shape.crouton) {
        o.num_blocks = static_cast<uint32_t>(sizes[i] / 2048);
        for (uint32_t k = 0; k < o.num_blocks; ++k) tables[i][k] = places[i] + 2048 * (o.num_blocks - 1 - k);
        o.blocks = tables[i];
        o.data = nullptr;
      }
      if (i >= inputs) continue;
      for (uint32_t k = 0; k < (shape.crouton ? o.num_blocks : 1); ++k) {  // blocks come in order
        uint8_t* const to = shape.crouton ? static_cast<uint8_t*>(o.blocks[k]) : places[i];
        if (!take(to, shape.crouton ? 2048 : sizes[i])) return 2;
      }
    }
    vector_calls = portable_calls = 0;
    uint32_t status = kKernels[head.kernel].run(head, operands);
    for (uint32_t i = 0; i < head.operands; ++i) {
      const uint32_t arena = head.in_place != 0 && i == inputs ? 0 : i;
      if (!arenas[arena].intact(places[i], sizes[i], head.high != 0)) status = 100 + i;
    }
    const uint32_t answer[] = {status, vector_calls, portable_calls};
    put(answer, sizeof answer);
    for (uint32_t i = inputs; i < head.operands; ++i) {
      for (uint32_t k = 0; k < operands[i].num_blocks; ++k) put(operands[i].blocks[k], 2048);
      if (operands[i].num_blocks == 0) put(places[i], sizes[i]);
    }
  }
  return 0;
}

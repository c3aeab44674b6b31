// Calls of kernels that reduce the last dimension of tensors in blocks, as a prepared graph keeps them: some pixels at a time are
// brought into a piece of flat memory, computed as rows there, and brought back.
#ifndef OPKG_REDUCE_STAGED_H_
#define OPKG_REDUCE_STAGED_H_

#include <type_traits>

#include "opkg/hvx.h"
#include "opkg/reduce_kept.h"

namespace opkg {
namespace staged {

/// Pixels that lie in one vector.
inline uint32_t pixels_of(const Operand& o) { return 4u >> (o.bytes >> 1); }
inline bool is_pixel(const Operand& o) { return o.dims[0] == 1 && o.dims[1] == 1 && o.dims[2] == 1; }

/// A pixel of some image.
struct Pixel {
  size_t image = 0;
  size_t row = 0;
  size_t column = 0;
};

/// Vectors of a tensor in blocks that hold the same pixels: the next one is 32 deeper.
struct Vectors {
  void* const* blocks;
  size_t offset;
  size_t depths;

  Vectors(const Operand& o, const Pixel& first) {
    const uint32_t wide = 3 - (o.bytes >> 1);  // of a block: as a power of two
    depths = o.padded[3] >> 5;
    blocks = o.blocks + ((first.image * (o.padded[1] >> 3) + (first.row >> 3)) * (o.padded[2] >> wide) + (first.column >> wide)) * depths;
    offset = ((first.row & 7) * 2 + (first.column >> (wide - 1) & 1)) * kStagedLine;
  }
  uint8_t* at(size_t depth) const { return static_cast<uint8_t*>(blocks[depth]) + offset; }

  /// Those of the next pixels.
  void next() {
    offset ^= kStagedLine;
    if ((offset & kStagedLine) == 0) blocks += depths;
  }
};

#if OPKG_HVX

OPKG_INLINE HVX_Vector loaded(const void* at) { return rowwise::kTellsAlignment ? hvx::load(at) : hvx::load_unaligned(at); }
OPKG_INLINE void stored(void* at, HVX_Vector v) { rowwise::kTellsAlignment ? hvx::store(at, v) : hvx::store_unaligned(at, v); }

/// Vectors of neighbouring depths become vectors of one pixel each, and back: as many as one has pixels.
template <uint32_t kPixels>
OPKG_INLINE void exchange(HVX_Vector (&v)[kPixels]) {
  if constexpr (kPixels == 2) {
    const HVX_VectorPair found = Q6_W_vshuff_VVR(v[1], v[0], -64);
    v[0] = Q6_V_lo_W(found), v[1] = Q6_V_hi_W(found);
  } else {
    const HVX_VectorPair even = Q6_W_vshuff_VVR(v[2], v[0], -32), odd = Q6_W_vshuff_VVR(v[3], v[1], -32);
    const HVX_VectorPair low = Q6_W_vshuff_VVR(Q6_V_lo_W(odd), Q6_V_lo_W(even), -32);
    const HVX_VectorPair high = Q6_W_vshuff_VVR(Q6_V_hi_W(odd), Q6_V_hi_W(even), -32);
    v[0] = Q6_V_lo_W(low), v[1] = Q6_V_hi_W(low), v[2] = Q6_V_lo_W(high), v[3] = Q6_V_hi_W(high);
  }
}

/// Pixels one after another; 128 bytes behind the last one are written as well.
template <uint32_t kBytes>
OPKG_INLINE void bring(uint8_t* to, const Vectors& from, size_t row) {
  constexpr uint32_t kPixels = 4 / kBytes;
  const auto vector = [&](size_t depth) OPKG_INLINE_LAMBDA {
    const HVX_Vector v = loaded(from.at(depth));
    return kBytes == 2 ? Q6_Vh_vdeal_Vh(v) : v;
  };
  if (row == 32 * kBytes) return hvx::store_unaligned(to, vector(0));
  const auto some = [&](size_t depth, auto all) OPKG_INLINE_LAMBDA {
    HVX_Vector v[kPixels];
    for (uint32_t i = 0; i < kPixels; ++i) v[i] = vector(all || depth + i < from.depths ? depth + i : depth);
    exchange(v);
    for (uint32_t i = 0; i < kPixels; ++i) hvx::store_unaligned(to + depth * 32 * kBytes + i * row, v[i]);
  };
  const size_t whole = row / hvx::kBytes * kPixels;         // depths
  if (whole < from.depths) some(whole, std::false_type{});  // first, as it writes on into the next pixel
  OPKG_UNROLL(1)
  for (size_t depth = 0; depth < whole; depth += kPixels) some(depth, std::true_type{});
}

/// Back again; 128 bytes behind the last pixel are read as well.
template <uint32_t kBytes>
OPKG_INLINE void back(const Vectors& to, const uint8_t* from, size_t row) {
  constexpr uint32_t kPixels = 4 / kBytes;
  const auto vector = [](HVX_Vector v) OPKG_INLINE_LAMBDA { return kBytes == 2 ? Q6_Vh_vshuff_Vh(v) : v; };
  if (row == 32 * kBytes) return stored(to.at(0), vector(hvx::load_unaligned(from)));
  const auto some = [&](size_t depth, auto all) OPKG_INLINE_LAMBDA {
    HVX_Vector v[kPixels];
    for (uint32_t i = 0; i < kPixels; ++i) v[i] = hvx::load_unaligned(from + depth * 32 * kBytes + i * row);
    exchange(v);
    for (uint32_t i = 0; i < kPixels; ++i) {
      if (all || depth + i < to.depths) stored(to.at(depth + i), vector(v[i]));
    }
  };
  const size_t whole = row / hvx::kBytes * kPixels;
  OPKG_UNROLL(1)
  for (size_t depth = 0; depth < whole; depth += kPixels) some(depth, std::true_type{});
  if (whole < to.depths) some(whole, std::false_type{});
}

#else

/// Goes through the elements of some pixels: those in blocks, and those one after another.
template <typename T, typename Take>
void each(const Vectors& vectors, size_t row, const Take& take) {
  constexpr uint32_t kPixels = 4 / sizeof(T);
  for (size_t depth = 0; depth < vectors.depths; ++depth) {
    T* const in_blocks = reinterpret_cast<T*>(vectors.at(depth));
    for (uint32_t pixel = 0; pixel < kPixels; ++pixel) {
      for (size_t d = 0; d < 32 && (depth * 32 + d) * sizeof(T) < row; ++d) {
        const size_t inside = sizeof(T) == 2 ? d * kPixels + pixel : pixel * 32 + d;
        take(in_blocks[inside], pixel * (row / sizeof(T)) + depth * 32 + d);
      }
    }
  }
}

template <uint32_t kBytes>
void bring(uint8_t* to, const Vectors& from, size_t row) {
  using T = std::conditional_t<kBytes == 2, uint16_t, uint8_t>;
  each<T>(from, row, [&](const T& in_blocks, size_t flat) { reinterpret_cast<T*>(to)[flat] = in_blocks; });
}
template <uint32_t kBytes>
void back(const Vectors& to, const uint8_t* from, size_t row) {
  using T = std::conditional_t<kBytes == 2, uint16_t, uint8_t>;
  each<T>(to, row, [&](T& in_blocks, size_t flat) { in_blocks = reinterpret_cast<const T*>(from)[flat]; });
}

#endif

/// Some pixels of a tensor in blocks that are side by side, between its blocks and a piece of flat memory.
template <bool kBack, uint32_t kBytes>
__attribute__((noinline)) void move(const Operand& o, const Pixel& at, size_t pixels, uint8_t* piece) {
  constexpr size_t kStep = 4 / kBytes;
  const size_t row = size_t{o.dims[3]} * kBytes;
  Vectors vectors(o, at);
  for (size_t i = 0; i < pixels; i += kStep, piece += row * kStep, vectors.next()) {
    if constexpr (kBack) {
      back<kBytes>(vectors, piece, row);
    } else {
      bring<kBytes>(piece, vectors, row);
    }
  }
}

/// The same of several rows of an image or of images that follow each other, `step` bytes of a piece each. What a row of an
/// image does not fill of its part becomes copies of its first pixel: what lies there may be slow to compute.
template <bool kBack>
__attribute__((noinline)) inline void move(const Operand& o, Pixel at, size_t pixels, size_t lines, uint8_t* piece, size_t step) {
  const size_t row = size_t{o.dims[3]} * o.bytes;
  if (is_pixel(o)) at = Pixel(), pixels = lines = 1, step = row;
  for (; lines != 0; --lines, piece += step) {
    o.bytes == 2 ? move<kBack, 2>(o, at, pixels, piece) : move<kBack, 1>(o, at, pixels, piece);
    for (size_t used = pixels * row; !kBack && used < step; used += row) std::memcpy(piece + used, piece, row);
    if (++at.row == o.dims[1]) at.row = 0, ++at.image;
  }
}

/// How the pixels of a call's operands are cut into pieces.
template <uint32_t kOperands>
struct Pieces {
  size_t lines = 0;   ///< rows of all images; 0: no operand is in blocks
  size_t height = 0;  ///< of an image
  size_t width = 0;
  size_t pixels = 0;              ///< of a line of a piece
  size_t deep = 1;                ///< lines of a piece
  size_t places[kOperands] = {};  ///< where pieces of operands begin
  bool fits = true;               ///< whether there is room for them

  /// `operands`: they become pieces.
  explicit Pieces(Operand* operands) {
    size_t bytes = 0, most = 1;
    for (uint32_t i = 0; i < kOperands; ++i) {
      const Operand& o = operands[i];
      if (!o.crouton()) continue;
      bytes += size_t{o.dims[3]} * o.bytes;
      most = pixels_of(o) > most ? pixels_of(o) : most;
      if (lines != 0 && is_pixel(o)) continue;
      lines = size_t{o.dims[0]} * o.dims[1];
      height = o.dims[1], width = o.dims[2];
    }
    if (bytes == 0) return;
    const size_t all = (width + most - 1) / most * most, room = kStagedBytes / bytes / most * most;
    pixels = all < room ? all : room;
    fits = pixels != 0;
    if (pixels == all) deep = room / all < lines ? room / all : lines;
    size_t place = 0;
    for (uint32_t i = 0; i < kOperands; ++i) {
      Operand& o = operands[i];
      places[i] = place;
      if (!o.crouton()) continue;
      const bool one = is_pixel(o);
      fits = fits && (one || (size_t{o.dims[0]} * height == lines && o.dims[1] == height && o.dims[2] == width));
      o.dims[0] = o.dims[1] = 1;
      o.dims[2] = one ? 1 : static_cast<uint32_t>(pixels * deep);
      o.blocks = nullptr;
      place += (pixels * deep * o.dims[3] * o.bytes + 2 * kStagedLine - 1) / kStagedLine * kStagedLine;
    }
  }
};

}  // namespace staged

/// A KeptReduction of tensors that lie in blocks, or flat.
template <typename Rows, typename Way = ByRows>
class KeptStaged : public KeptReduction<Rows, Way> {
  using Base = KeptReduction<Rows, Way>;
  using Operands = KeptOperands<Rows::kInputs + Rows::kOutputs>;
  using Pixel = staged::Pixel;
  using Pieces = staged::Pieces<Rows::kInputs + Rows::kOutputs>;

 public:
  template <typename Args>
  OPKG_SMALL KeptStaged(const Args& op, uint32_t axes, uint32_t dropped, const std::initializer_list<Operand>& inputs,
                        const std::initializer_list<Operand>& outputs)
      : KeptStaged(op, axes, dropped, Operands(inputs, outputs), Operands(inputs, outputs)) {}

 private:
  template <typename Args>
  OPKG_SMALL KeptStaged(const Args& op, uint32_t axes, uint32_t dropped, const Operands& whole, Operands pieces)
      : KeptStaged(op, axes, dropped, whole, Pieces(pieces.each), pieces) {}

  template <typename Args>
  OPKG_SMALL KeptStaged(const Args& op, uint32_t axes, uint32_t dropped, const Operands& whole, const Pieces& cut, const Operands& pieces)
      : Base(op, axes, dropped, pieces), whole_(whole), pieces_(cut) {
    if (cut.lines == 0) return;
    this->slices = slices_for(whole_.each, kOperands);
    this->num_streams = 0;
    KeptCall::run = &KeptStaged::run_staged;
  }

  static Status run_staged(const KeptCall& call, const Memory& memory, Slice slice) {
    const auto& self = static_cast<const KeptStaged&>(call);
    const Pieces& cut = self.pieces_;
    if (!cut.fits) return Status::unsupported;
    const Operands whole = self.whole_.now(memory);
    Operands piece = self.operands_;
    alignas(128) uint8_t arena[kStagedBytes + 2 * kStagedLine * kOperands];
    for (uint32_t i = 0; i < kOperands; ++i) piece.each[i].data = whole.each[i].crouton() ? arena + cut.places[i] : whole.each[i].data;
    const size_t across = (cut.width + cut.pixels - 1) / cut.pixels, pieces = (cut.lines + cut.deep - 1) / cut.deep * across;
    for (size_t number = slice.begin(pieces), end = slice.end(pieces); number < end; ++number) {
      const size_t line = number / across * cut.deep, column = number % across * cut.pixels;
      const Pixel at = {line / cut.height, line % cut.height, column};
      const size_t pixels = cut.width - column < cut.pixels ? cut.width - column : cut.pixels;
      const size_t lines = cut.lines - line < cut.deep ? cut.lines - line : cut.deep;
      const auto step = [&](uint32_t i) { return cut.pixels * whole.each[i].dims[3] * whole.each[i].bytes; };
      for (uint32_t i = 0; i < Rows::kInputs; ++i) {
        if (whole.each[i].crouton()) staged::move<false>(whole.each[i], at, pixels, lines, piece.each[i].data, step(i));
      }
      const Status status = self.compute(piece.each);
      if (status != Status::ok) return status;
      for (uint32_t i = Rows::kInputs; i < kOperands; ++i) {
        if (whole.each[i].crouton()) staged::move<true>(whole.each[i], at, pixels, lines, piece.each[i].data, step(i));
      }
    }
    return Status::ok;
  }

  /// All rows of pieces.
  Status compute(const Operand* pieces) const {
    static constexpr Memory kHere = {[](const void* data) { return const_cast<void*>(data); }, nullptr};
    if (this->takes_ && this->made_.run(this->rows_, pieces, kHere, Slice{})) return Status::ok;
    return Way::run(this->rows_, this->vectors_, this->axes_, this->dropped_, pieces, this->made_.rest(Slice{}));
  }

  static constexpr uint32_t kOperands = Rows::kInputs + Rows::kOutputs;

  Operands whole_;
  Pieces pieces_;
};

}  // namespace opkg

#endif  // OPKG_REDUCE_STAGED_H_

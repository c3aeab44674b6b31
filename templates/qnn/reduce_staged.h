// Calls of kernels that reduce the last dimension of tensors in blocks, as a prepared graph keeps them: some pixels at a time are
// brought into a piece of flat memory, computed as rows there, and brought back.
#ifndef OPKG_REDUCE_STAGED_H_
#define OPKG_REDUCE_STAGED_H_

#include "opkg/reduce_kept.h"
#include "opkg/staged_units.h"

namespace opkg {
namespace staged {

/// How the pixels of a call's operands are cut into pieces: some rows of images, or some pixels of one.
template <uint32_t kOperands>
struct Pieces {
  size_t lines = 0;   ///< rows of all images; 0: no operand is in blocks
  size_t height = 0;  ///< of an image
  size_t width = 0;
  size_t pixels = 0;              ///< of a line of a piece
  size_t deep = 1;                ///< lines of a piece
  size_t last = 0;                ///< pixels of the last piece of a line, or of all
  size_t across = 0;              ///< pieces of a line
  size_t count = 0;               ///< pieces
  size_t places[kOperands] = {};  ///< where pieces of operands begin
  bool fits = true;               ///< whether there is room for them
  bool in_units = false;          ///< whether pixels stay as they lie in blocks; results take the places of inputs then
  size_t whole = 1;               ///< pixels of a line of a block, if in_units

  /// `operands`: they become pieces, the first `inputs` are read. `bytes`: the room for them; `in_slots`: whether rows may lie in slots
  /// there; `units`: whether pixels may stay as they lie.
  OPKG_RARE Pieces(Operand* operands, size_t bytes, bool in_slots, bool units, uint32_t inputs) {
    size_t each = 0, most = 1;
    for (uint32_t i = 0; i < kOperands; ++i) {
      const Operand& o = operands[i];
      if (!o.crouton()) continue;
      each += pitch_of(o, in_slots);
      most = pixels_of(o) > most ? pixels_of(o) : most;
      if (lines != 0 && is_pixel(o)) continue;
      lines = size_t{o.dims[0]} * o.dims[1];
      height = o.dims[1], width = o.dims[2];
    }
    if (each == 0) return;
    fits = kStagedBytes / each >= most;  // as rows_pay() of opkg/layouts.h says, however much room there is
    const size_t of_units = (inputs * 2 > kOperands ? inputs : kOperands - inputs) * size_t{operands[0].padded[3]} * operands[0].bytes;
    in_units = units && bytes / of_units >= 2 * most;
    if (in_units) each = of_units, whole = most *= 2;
    if (fits) cut(bytes / each, most);
    size_t place = 0;
    for (uint32_t i = 0; i < kOperands; ++i) {
      Operand& o = operands[i];
      places[i] = place;
      if (!o.crouton()) continue;
      const bool one = is_pixel(o);
      fits = fits && (one || (size_t{o.dims[0]} * height == lines && o.dims[1] == height && o.dims[2] == width));
      if (in_units) {
        places[i] = (i < inputs ? i : i - inputs) * rounded(pixels) * deep * o.padded[3] * o.bytes;
      } else {
        place += (room(most) * pitch_of(o, in_slots) + 2 * kStagedLine - 1) / kStagedLine * kStagedLine;
        o.padded[3] = static_cast<uint32_t>(pitch_of(o, in_slots)) / o.bytes;
      }
      o.dims[0] = o.dims[1] = 1;
      o.dims[2] = one ? 1 : static_cast<uint32_t>(rounded(pixels) * deep);
      o.blocks = nullptr;
    }
  }

  /// Operands of the last piece.
  void shorten(Operand* operands) const {
    for (uint32_t i = 0; i < kOperands; ++i) {
      if (operands[i].padded[3] != 0 && operands[i].dims[2] != 1) operands[i].dims[2] = static_cast<uint32_t>(last);
    }
  }

 private:
  /// Pixels of a line of a piece that has some.
  size_t rounded(size_t some) const { return (some + whole - 1) & (0 - whole); }

  /// Pixels that whole vectors of the last line have, and those in front of it.
  size_t room(size_t most) const { return (deep - 1) * pixels + (pixels + most - 1) / most * most; }

  void cut(size_t there, size_t most) {
    const size_t all = (width + most - 1) / most * most;
    pixels = all <= there ? width : there / most * most;
    if (all <= there) deep = 1 + (there - all) / rounded(width);
    if (deep > lines) deep = lines;
    across = (width + pixels - 1) / pixels, count = (lines + deep - 1) / deep * across;
    last = deep > 1 ? ((lines - 1) % deep + 1) * rounded(width) : rounded((width - 1) % pixels + 1);
  }
};

/// A call whose operands (inputs, then outputs) may be in blocks.
template <uint32_t kOperands>
class Call {
 public:
  /// Computes all rows of a piece, or of a last one with fewer pixels.
  using Compute = Status (*)(const KeptCall& call, bool last, uint8_t* const* data);
  OPKG_SMALL Call(const KeptOperands<kOperands>& whole, const Pieces<kOperands>& cut, uint32_t inputs, bool in_slots, Compute compute)
      : whole_(whole), pieces_(cut), inputs_(inputs), in_slots_(in_slots), compute_(compute) {
    for (uint32_t i = 0; i < kOperands; ++i) routes_[i] = PixelRoute(whole.each[i], in_slots, i >= inputs);
  }

  bool in_units() const { return pieces_.in_units; }

  /// `arena`: room for the pieces.
  OPKG_RARE Status run(const KeptCall& call, const Memory& memory, Slice slice, uint8_t* arena) const {
    const Pieces<kOperands>& cut = pieces_;
    if (!cut.fits) return Status::unsupported;
    const size_t number = slice.begin(cut.count), end = slice.end(cut.count);
    uint8_t* data[kOperands];
    void* const* tables[kOperands];
    uint32_t each = 0, once = 0;  // operands (bits) that each piece has some pixels of; that have one for all
    for (uint32_t i = 0; i < kOperands; ++i) {
      const Operand& o = whole_.each[i];
      data[i] = o.crouton() ? arena + cut.places[i] : data_of(o, memory);
      if (!o.crouton()) continue;
      tables[i] = memory.blocks(o.blocks);
      (i >= inputs_ || !is_pixel(o) ? each : once) |= 1u << i;
    }
    Pixel at;
    move_some(false, once, tables, at, 1, 1, data);
    for (size_t piece = 0, line = 0; piece < end; ++piece) {  // those of other slices are gone through, too
      const size_t pixels = cut.width - at.column < cut.pixels ? cut.width - at.column : cut.pixels;
      const size_t lines = cut.lines - line < cut.deep ? cut.lines - line : cut.deep;
      if (piece >= number) {
        const bool last = pixels * lines != cut.pixels * cut.deep;
        move_some(false, each & ((1u << inputs_) - 1), tables, at, pixels, lines, data);
        const Status status = compute_(call, last, data);
        if (status != Status::ok) return status;
        move_some(true, each >> inputs_ << inputs_, tables, at, pixels, lines, data);
      }
      at.column += pixels;
      if (at.column != cut.width) continue;
      at.column = 0;
      line += lines, at.row += lines;
      for (; at.row >= cut.height; at.row -= cut.height) ++at.image;
    }
    return Status::ok;
  }

 private:
  /// Brings pixels of some operands (bits), or brings them back.
  OPKG_RARE void move_some(bool back, uint32_t some, void* const* const* tables, const Pixel& at, size_t pixels, size_t lines, uint8_t* const* data) const {
    for (uint32_t i = 0; i < kOperands; ++i) {
      if ((some >> i & 1) == 0) continue;
#if OPKG_HVX
      if (pieces_.in_units) {
        move_units(back, whole_.each[i], tables[i], at, pixels, lines, data[i]);
        continue;
      }
#endif
      move(back, in_slots_, whole_.each[i], routes_[i], tables[i], at, pixels, lines, data[i]);
    }
  }

  KeptOperands<kOperands> whole_;
  Pieces<kOperands> pieces_;
  uint32_t inputs_;
  bool in_slots_;
  Compute compute_;
  PixelRoute routes_[kOperands];
};

}  // namespace staged

/// A KeptReduction of tensors that lie in blocks, or flat.
template <typename Rows, typename Way = ByRows>
class KeptStaged : public KeptReduction<Rows, Way> {
  using Base = KeptReduction<Rows, Way>;
  using Operands = KeptOperands<Rows::kInputs + Rows::kOutputs>;
  using Pieces = staged::Pieces<Rows::kInputs + Rows::kOutputs>;
  using Made = typename Way::template Made<Rows>;
  static constexpr size_t kRoom = Way::template staged_bytes<Rows>();

 public:
  template <typename Args>
  OPKG_SMALL KeptStaged(const Args& op, uint32_t axes, uint32_t dropped, const std::initializer_list<Operand>& inputs,
                        const std::initializer_list<Operand>& outputs)
      : KeptStaged(op, axes, dropped, Operands(inputs, outputs), Operands(inputs, outputs)) {}

 private:
  template <typename Args>
  OPKG_SMALL KeptStaged(const Args& op, uint32_t axes, uint32_t dropped, const Operands& whole, Operands pieces)
      : KeptStaged(op, axes, dropped, whole, Pieces(pieces.each, kRoom, Way::template kInSlots<Rows>, in_units(whole), Rows::kInputs), pieces) {}

  template <typename Args>
  OPKG_SMALL KeptStaged(const Args& op, uint32_t axes, uint32_t dropped, const Operands& whole, const Pieces& cut, const Operands& pieces)
      : Base(op, axes, dropped, pieces, cut.in_units), staged_(whole, cut, Rows::kInputs, Way::template kInSlots<Rows>, &compute), last_(shortened(cut, pieces)), made_last_(this->made(last_, axes, dropped, cut.in_units)) {
    if (cut.lines == 0) return;
    this->slices = slices_for(whole.each, kOperands);
    if constexpr (Rows::kOutputs > 1) this->slices = whole_if_shared<Rows>(this->slices, whole, axes, dropped);
    this->num_streams = 0;
    KeptCall::run = &KeptStaged::run_staged;
  }

  static bool in_units([[maybe_unused]] const Operands& whole) {
    if constexpr (kPixels) return staged::alike(whole.each, kOperands, 128 / Rows::kStep);
    return false;
  }

  OPKG_RARE static Operands shortened(const Pieces& cut, Operands pieces) {
    cut.shorten(pieces.each);
    return pieces;
  }

  static Status run_staged(const KeptCall& call, const Memory& memory, Slice slice) {
    alignas(128) uint8_t arena[kRoom + 2 * kStagedLine * kOperands];
    return static_cast<const KeptStaged&>(call).staged_.run(call, memory, slice, arena);
  }

  static Status compute(const KeptCall& call, bool last, uint8_t* const* data) {
    const auto& self = static_cast<const KeptStaged&>(call);
    const Made& made = last ? self.made_last_ : self.made_;
    if (self.takes_ && made.run_at(self.rows_, data)) return Status::ok;
    if constexpr (kPixels) {
      if (self.staged_.in_units()) return made.pixels_one_by_one(self.rows_, data), Status::ok;
    }
    return self.compute_rest(last ? self.last_ : self.operands_, data);
  }
  OPKG_RARE Status compute_rest(Operands pieces, uint8_t* const* data) const {
    for (uint32_t i = 0; i < kOperands; ++i) pieces.each[i].data = data[i];
    return Way::run(this->rows_, this->vectors_, this->axes_, this->dropped_, pieces.each, Slice{});
  }

  static constexpr uint32_t kOperands = Rows::kInputs + Rows::kOutputs;
  static constexpr bool kPixels = TakesPixels<Way, Rows>::value;

  staged::Call<kOperands> staged_;
  Operands last_;  ///< the operands of a last piece with fewer pixels
  Made made_last_;
};

}  // namespace opkg

#endif  // OPKG_REDUCE_STAGED_H_

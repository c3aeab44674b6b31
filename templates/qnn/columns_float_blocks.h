// Calls that reduce the height, the width or both of halves in blocks: vectors hold two pixels of 32 columns, which alternate.
#ifndef OPKG_COLUMNS_FLOAT_BLOCKS_H_
#define OPKG_COLUMNS_FLOAT_BLOCKS_H_

#include "opkg/columns_float.h"
#include "opkg/columns_places.h"

#if OPKG_HVX && OPKG_HVX_FLOAT

namespace opkg {
namespace columns {

/// What is found of units of 32 columns side by side.
template <typename Rows, uint32_t kAxes, bool kExact>
class FloatUnits {
 protected:
  using Place = Blocks<kAxes>;
  using Found = typename Rows::template FoundOf<kExact>;
  using Again = hvx::Again<Rows, kExact>;

  FloatUnits(const Rows& rows, const Place& blocks, void* const* in)
      : rows_(rows), blocks_(blocks), in_(in), finish_(rows, blocks.count()), left_(blocks.last <= blocks.pixels), live_(left_ ? blocks.last : blocks.last - blocks.pixels), block_(blocks.count() / 32 < 64 ? blocks.count() / 512 * 16 : 64) {}

  /// In the order of channels. `about`: of squares, where there are any.
  template <uint32_t kCount>
  OPKG_INLINE void find(size_t image, size_t row, size_t depth, HVX_Vector (&words)[Found::kParts][2], HVX_Vector (&about)[Again::kParts][2]) const {
    Found found[kCount];
    down_blocks<!kExact, false>(found, blocks_, in_, image, row, depth, live_, left_, block_);
    hvx::each_side<kCount>([&](auto side) OPKG_INLINE_LAMBDA { pixels(found[side], words, side); });
    if (kCount == 1) alike(words);
    if constexpr (Rows::kAgain) {
      Again again[kCount];
      HVX_Vector numbers[2];
      finish_.about(words, numbers);
      hvx::each_side<kCount>([&](auto side) OPKG_INLINE_LAMBDA {
        again[side].start(rows_);
        again[side].set_pixels(numbers[side]);
      });
      down_blocks<!kExact, false>(again, blocks_, in_, image, row, depth, live_, left_, block_);
      hvx::each_side<kCount>([&](auto side) OPKG_INLINE_LAMBDA { pixels(again[side], about, side); });
      if (kCount == 1) alike(about);
    }
  }

  const Rows& rows_;
  const Place& blocks_;
  void* const* in_;
  hvx::FloatFinish<Rows, Found> finish_;
  bool left_;     ///< whether the last block of a line has pixels in the first vectors of its rows only
  size_t live_;   ///< pixels of the vector at the edge
  size_t block_;  ///< elements of a lane that are added up in single precision

 private:
  /// The numbers of a unit's columns: those of both pixels together.
  template <typename Any>
  OPKG_INLINE static void pixels(Any& unit, HVX_Vector (&to)[Any::kParts][2], uint32_t side) {
    HVX_Vector both[Any::kParts][2], even[Any::kParts], odd[Any::kParts];
    unit.words(both);
    for (uint32_t part = 0; part < Any::kParts; ++part) {
      const HVX_VectorPair apart = Q6_W_vdeal_VVR(both[part][1], both[part][0], -4);
      even[part] = Q6_V_lo_W(apart), odd[part] = Q6_V_hi_W(apart);
    }
    Any::joined(even, odd);
    for (uint32_t part = 0; part < Any::kParts; ++part) to[part][side] = even[part];
  }

  template <uint32_t kParts>
  OPKG_INLINE static void alike(HVX_Vector (&words)[kParts][2]) {
    for (uint32_t part = 0; part < kParts; ++part) words[part][1] = words[part][0];
  }
};

/// One call. Units become vectors of results two at a time, or the lanes of a vector are results.
template <typename Rows, uint32_t kAxes, bool kExact>
class FloatBlockCall : public FloatUnits<Rows, kAxes, kExact> {
  using Base = FloatUnits<Rows, kAxes, kExact>;
  using Base::block_;
  using Base::blocks_;
  using Base::finish_;
  using Base::left_;
  using Base::rows_;
  using typename Base::Again;
  using typename Base::Found;
  using typename Base::Place;
  static constexpr uint32_t kLanes = 64, kElement = 2;
  static constexpr size_t kRow = 2 * hvx::kBytes;  ///< of a block

 public:
  /// `operands`: where they are now, for portable code.
  FloatBlockCall(const Rows& rows, const Place& blocks, const BlockMemory<Rows::kOutputs>& memory, const Operand* operands)
      : Base(rows, blocks, memory.in), memory_(memory), operands_(operands) {}

  Status run(Slice slice) const {
    const size_t line = Place::kWide ? (blocks_.depths + 1) / 2 : blocks_.across * blocks_.depths;
    const size_t all = blocks_.images * blocks_.high() * line, end = slice.end(all);
    for (size_t i = slice.begin(all); i < end; ++i) {
      const size_t place = i / line, inside = i - place * line;
      if constexpr (Place::kWide) {
        const size_t depth = 2 * inside, image = place / blocks_.high(), row = place - image * blocks_.high();
        depth + 1 < blocks_.depths ? units<2>(image, row, depth) : units<1>(image, row, depth);
      } else {
        const size_t vectors = left_ && inside >= line - blocks_.depths ? 1 : 2;
        for (size_t side = 0; side < vectors; ++side) lanes(place, inside, side);
      }
    }
    return status_;
  }

 private:
  /// Results of some units, in the order of channels.
  template <uint32_t kCount>
  OPKG_APART void units(size_t image, size_t row, size_t depth) const {
    const size_t channels = blocks_.channels - depth * rowwise::kBlockDepth, most = kCount * rowwise::kBlockDepth;
    const size_t n = channels < most ? channels : most, line = (image * blocks_.high() + row) * blocks_.channels;
    HVX_Vector words[Found::kParts][2], about[Again::kParts][2];
    this->template find<kCount>(image, row, depth, words, about);
    rowwise::counted(true, n * blocks_.count());
    const size_t first = line + depth * rowwise::kBlockDepth;
    if (memory_.out[0] == nullptr) {
      finish_.write_all(words, about, memory_.data, first, n, 0);
    } else {
      alignas(128) uint8_t results[Rows::kOutputs][hvx::kBytes];
      made(words, about, results, n);
      const size_t inside = row % 8 * kRow, place = (image * ((blocks_.high() + 7) / 8) + row / 8) * blocks_.depths + depth;
      for (uint32_t i = 0; i < Rows::kOutputs; ++i) Pixel<kCount, kElement>(memory_.out[i] + place, inside).put(hvx::load(results[i]));
    }
    if (!finish_.held()) again_by_elements({first, first + n});
  }

  /// Results of the height: those of a vector's lanes. `image`; the block of a line; the vector of its rows.
  OPKG_APART void lanes(size_t image, size_t place, size_t vector) const {
    const size_t line = blocks_.across * blocks_.depths;
    Found found[1];
    down_lanes(found, image, place, vector);
    HVX_Vector words[Found::kParts][2], about[Again::kParts][2];
    found[0].words(words);
    if constexpr (Rows::kAgain) {
      Again again[1];
      HVX_Vector numbers[2];
      finish_.about(words, numbers);
      again[0].start(rows_);
      again[0].set(numbers);
      down_lanes(again, image, place, vector);
      again[0].words(about);
    }
    rowwise::counted(true, kLanes * blocks_.height);
    alignas(128) uint8_t results[Rows::kOutputs][hvx::kBytes];
    made(words, about, results, kLanes);
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) {
      hvx::store_block(static_cast<uint8_t*>(memory_.out[i][image * line + place]) + vector * hvx::kBytes, hvx::load(results[i]));
    }
    if (!finish_.held()) lines_by_elements(image, place, vector);
  }

  template <typename Any>
  void down_lanes(Any (&found)[1], size_t image, size_t place, size_t vector) const {
    const size_t line = blocks_.across * blocks_.depths;
    void* const* table = memory_.in + image * blocks_.down * line + place;
    size_t held = 0;
    for (size_t left = blocks_.height; left != 0; table += line) {
      const size_t rows = left < 8 ? left : 8;
      if (!kExact && (held += rows) > block_) found[0].empty(), held = rows;
      take_rows<rowwise::kTellsAlignment>(found, static_cast<const uint8_t*>(*table) + vector * hvx::kBytes, rows, kRow);
      left -= rows;
    }
  }

  template <uint32_t kParts, uint32_t kOther>
  void made(const HVX_Vector (&words)[kParts][2], const HVX_Vector (&about)[kOther][2], uint8_t (&results)[Rows::kOutputs][hvx::kBytes], size_t n) const {
    uint8_t* to[Rows::kOutputs];
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) to[i] = results[i];
    finish_.write_all(words, about, to, 0, n, 0);
  }

  /// Some results in portable code, where one was not for vectors.
  OPKG_RARE void again_by_elements(const Part& part) const {
    const Status found = by_elements(rows_, blocks_, operands_, part);
    if (found != Status::ok) status_ = found;
    finish_.hold();
  }

  /// The same of the pixels of a vector.
  OPKG_RARE void lines_by_elements(size_t image, size_t place, size_t vector) const {
    const size_t across = place / blocks_.depths, channel = place % blocks_.depths * rowwise::kBlockDepth;
    const size_t end = channel + rowwise::kBlockDepth < blocks_.channels ? channel + rowwise::kBlockDepth : blocks_.channels;
    const size_t from = (2 * across + vector) * blocks_.pixels;
    for (size_t pixel = from; pixel < from + blocks_.pixels && pixel < blocks_.width; ++pixel) {
      const size_t first = (image * blocks_.width + pixel) * blocks_.channels;
      again_by_elements({first + channel, first + end});
    }
  }

  const BlockMemory<Rows::kOutputs>& memory_;
  const Operand* operands_;
  mutable Status status_ = Status::ok;
};

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_HVX && OPKG_HVX_FLOAT
#endif  // OPKG_COLUMNS_FLOAT_BLOCKS_H_

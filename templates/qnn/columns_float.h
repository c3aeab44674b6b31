// Runs generated kernels that reduce dimensions of floats and whose results lie one after another. C++17.
#ifndef OPKG_COLUMNS_FLOAT_H_
#define OPKG_COLUMNS_FLOAT_H_

#include "opkg/columns.h"
#include "opkg/hvx_finish_float.h"

#if OPKG_HVX && OPKG_HVX_FLOAT

namespace opkg {
namespace columns {

/// One call. Sums about numbers of the columns (squares about means) take a second pass.
template <typename Rows, bool kExact>
class FloatCall : public Panels<FloatCall<Rows, kExact>, Rows> {
  using Base = Panels<FloatCall<Rows, kExact>, Rows>;
  using Found = typename Rows::template FoundOf<kExact>;
  using Again = hvx::Again<Rows, kExact>;
  static constexpr size_t kWords = Base::kLanes / 32, kRoom = Base::kMost + 128;

 public:
  static constexpr bool kShallow = false, kShort = false, kOverlaps = true;  ///< see Call

  FloatCall(const Rows& rows, const Shared<Rows>& shared, const uint8_t* in, uint8_t* const* out)
      : Base(shared, in), out_(out), block_(block(shared.count)), rows_(rows), finish_(rows, shared.count) {}

  bool held() const { return finish_.held(); }

  template <bool kAligned, uint32_t kSide>
  void single(const uint8_t* at, size_t first, size_t back, size_t apart = Base::kLanes) const {
    const size_t to_last = (kSide - 1) * apart * this->plan_.bytes;
    Found found[kSide];
    this->template down<kAligned>(found, at, this->plan_.rows, 0, 0, block_, to_last);
    HVX_Vector words[kSide][Found::kParts][kWords], about[kSide][Again::kParts][kWords];
    hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { found[side].words(words[side]); });
    if constexpr (Rows::kAgain) {
      Again again[kSide];
      hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA {
        HVX_Vector numbers[kWords];
        finish_.about(words[side], numbers);
        again[side].start(rows_);
        again[side].set(numbers);
      });
      this->template down<kAligned>(again, at, this->plan_.rows, 0, 0, block_, to_last);
      hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { again[side].words(about[side]); });
    }
    for (uint32_t side = 0; side < kSide; ++side) {
      finish_.write_all(words[side], about[side], out_, first + side * apart, Base::kLanes, back);
    }
  }

  void joined(const uint8_t* at, size_t first) const {
    alignas(128) int32_t kept[Found::kParts][kRoom], about[Again::kParts][kRoom];
    const size_t pieces = this->plan_.joined, width = this->plan_.width;
    keep_joined(kept, at);
    finish_.template fold<Found>(kept, pieces, width);
    if constexpr (Rows::kAgain) {
      alignas(128) int32_t means[kRoom];
      make_means(kept, means, width);
      repeat(means, width, width * pieces);
      keep_about(about, means, at);
      finish_.template fold<Again>(about, pieces, width);
    }
    write(kept, about, first, width);
  }

  void run(Slice slice) const {
    if (this->plan_.together == 1) return Base::run(slice);
    alignas(128) int32_t places[kRoom];
    const size_t panel = this->plan_.pieces * this->plan_.width;
    hvx::number_places(places, this->plan_.together * panel, static_cast<int32_t>(panel));
    this->each_unit(slice, [&](size_t number, size_t before) OPKG_INLINE_LAMBDA { together(number, before, places); });
  }

 private:
  /// Rows that are added up in single precision: a 32nd of a column, an even number.
  static size_t block(size_t count) {
    if (kExact) return hvx::kNoBlock;
    return count < 64 * 32 ? count / 64 * 2 : 64;
  }

  static OPKG_INLINE void load_words(const int32_t* at, HVX_Vector* to) {
    for (size_t k = 0; k < kWords; ++k) to[k] = hvx::load_unaligned(at + 32 * k);
  }

  /// Panels that are taken as one, from number `panel` on; the first one of them is `before` panels earlier.
  OPKG_APART void together(size_t panel, size_t before, const int32_t* places) const {
    alignas(128) int32_t kept[Found::kParts][kRoom], about[Again::kParts][kRoom];
    const Plan& plan = this->plan_;
    const uint8_t* const at = this->in_ + plan.panels.offset(panel - before);
    const size_t panels = plan.together, pieces = plan.pieces, width = plan.width;
    keep_joined(kept, at);
    finish_.template fold_panels<Found>(kept, places, panels, pieces, width);
    pack<Found::kParts>(kept);
    if constexpr (Rows::kAgain) {
      alignas(128) int32_t means[kRoom], each[kRoom];
      make_means(kept, means, panels * width);
      for (size_t i = 0; i < panels; ++i) {
        int32_t* const to = each + i * pieces * width;
        memcpy(to, means + i * width, width * sizeof(int32_t));
        repeat(to, width, width * pieces);
      }
      keep_about(about, each, at);
      finish_.template fold_panels<Again>(about, places, panels, pieces, width);
      pack<Again::kParts>(about);
    }
    if (before != 0) {
      for (auto& part : kept) memmove(part, part + before * width, (panels - before) * width * sizeof(int32_t));
      for (auto& part : about) memmove(part, part + before * width, (panels - before) * width * sizeof(int32_t));
    }
    write(kept, about, panel * width, (panels - before) * width);
    rowwise::counted(true, (panels - before) * width * this->shared_.count);
  }

  /// Brings the columns of panels together.
  template <uint32_t kParts>
  void pack(int32_t (*kept)[kRoom]) const {
    const size_t width = this->plan_.width, panel = this->plan_.pieces * width;
    for (uint32_t part = 0; part < kParts; ++part) {
      for (size_t i = 1; i < this->plan_.together; ++i) {
        for (size_t k = 0; k < width; ++k) kept[part][i * width + k] = kept[part][i * panel + k];
      }
    }
  }

  /// What is found of all joined columns.
  void keep_joined(int32_t (&kept)[Found::kParts][kRoom], const uint8_t* at) const {
    this->each_joined(at, [&](auto aligned, auto side, size_t from) {
      Found found[side];
      this->template down_joined<aligned>(found, at, from, block_);
      Base::keep(kept, found, from);
    });
  }

  /// The same about what is found of them.
  void keep_about(int32_t (&about)[Again::kParts][kRoom], const int32_t* means, const uint8_t* at) const {
    this->each_joined(at, [&](auto aligned, auto side, size_t from) {
      Again again[side];
      for (uint32_t i = 0; i < side; ++i) {
        HVX_Vector of[kWords];
        load_words(means + from + i * Base::kLanes, of);
        again[i].start(rows_);
        again[i].set(of);
      }
      this->template down_joined<aligned>(again, at, from, block_);
      Base::keep(about, again, from);
    });
  }

  void write(const int32_t (&kept)[Found::kParts][kRoom], const int32_t (&about)[Again::kParts][kRoom], size_t first, size_t columns) const {
    for (size_t i = 0; i < columns; i += Base::kLanes) {
      HVX_Vector words[Found::kParts][kWords], squares[Again::kParts][kWords];
      for (uint32_t part = 0; part < Found::kParts; ++part) load_words(kept[part] + i, words[part]);
      for (uint32_t part = 0; part < Again::kParts; ++part) load_words(about[part] + i, squares[part]);
      finish_.write_all(words, squares, out_, first + i, columns - i < Base::kLanes ? columns - i : Base::kLanes, 0);
    }
  }

  void make_means(const int32_t (&kept)[Found::kParts][kRoom], int32_t (&means)[kRoom], size_t columns) const {
    for (size_t i = 0; i < columns; i += Base::kLanes) {
      HVX_Vector words[Found::kParts][kWords], made[kWords];
      for (uint32_t part = 0; part < Found::kParts; ++part) load_words(kept[part] + i, words[part]);
      finish_.about(words, made);
      for (size_t k = 0; k < kWords; ++k) hvx::store_unaligned(means + i + 32 * k, made[k]);
    }
  }

  /// Repeats the first `width` numbers as far as `lanes`.
  static void repeat(int32_t* numbers, size_t width, size_t lanes) {
    for (size_t i = width; i < lanes; i += width) memcpy(numbers + i, numbers, (lanes - i < width ? lanes - i : width) * sizeof(int32_t));
  }

  uint8_t* const* out_;
  size_t block_;
  const Rows& rows_;
  hvx::FloatFinish<Rows, Found> finish_;
};

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_HVX && OPKG_HVX_FLOAT
#endif  // OPKG_COLUMNS_FLOAT_H_

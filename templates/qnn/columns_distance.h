// Runs generated kernels whose results are lines of a function of how far elements are from the extreme of their column (softmax), or
// of elements and of its sum (log-softmax): three passes down a vector of columns. C++17.
#ifndef OPKG_COLUMNS_DISTANCE_H_
#define OPKG_COLUMNS_DISTANCE_H_

#include "opkg/columns_apply.h"
#include "opkg/hvx_columns_distance.h"
#include "opkg/hvx_columns_exponential.h"
#include "opkg/hvx_norm.h"

#if OPKG_HVX

namespace opkg {
namespace columns {

/// What results of a vector of elements are made of.
template <typename Rows>
struct DistanceSource {
  const Rows& rows;
  const hvx::LineWords (&words)[4 / sizeof(typename Rows::Element)];
  HVX_Vector extremes;
};

/// Results of the elements of a vector: lines of their table's entries, or of their exponentials.
template <typename Rows>
class DistanceLines {
  static constexpr bool kBytes = sizeof(typename Rows::Element) == 1;

 public:
  OPKG_INLINE explicit DistanceLines(const DistanceSource<Rows>& source) : lines_(hvx::LineSource<Rows>{source.words, source.rows}) {
    values_.set(source.rows.values(), source.extremes);
  }
  OPKG_INLINE HVX_Vector of(HVX_Vector x) const {
    if constexpr (kBytes) return lines_.template of_halves<uint16_t>(values_.of(x));
    if constexpr (!kBytes) return lines_.of_words(values_.of(x));
  }

 private:
  hvx::LaneLines<Rows> lines_;
  std::conditional_t<kBytes, hvx::DistanceTable<Rows::kLargest>, hvx::DistanceExponential<Rows::kLargest>> values_;
};

/// The same where they are lines of elements themselves.
template <typename Rows>
class ElementLines : public hvx::LaneLines<Rows> {
 public:
  OPKG_INLINE explicit ElementLines(const DistanceSource<Rows>& source) : hvx::LaneLines<Rows>(hvx::LineSource<Rows>{source.words, source.rows}) {}
};

/// One call. `places`: the input, the output.
template <typename Rows>
class DistanceCall : public AppliedPanels<DistanceCall<Rows>, Rows> {
  using Base = AppliedPanels<DistanceCall<Rows>, Rows>;
  static constexpr bool kBytes = sizeof(typename Rows::Element) == 1;
  using Extremes = typename Rows::Found;
  using Sums = std::conditional_t<kBytes, hvx::DistanceFound<Rows::kLargest, false>, hvx::ExponentialFound<Rows::kLargest>>;
  using Fractions = hvx::DistanceFound<Rows::kLargest, true>;  ///< of bytes; else sums have two parts
  using Source = DistanceSource<Rows>;
  using Lines = std::conditional_t<Rows::kOfElements, ElementLines<Rows>, DistanceLines<Rows>>;
  static constexpr size_t kWords = Base::kLanes / 32, kRoom = Base::kMost + 128;
  static constexpr uint32_t kEnough = 10;  ///< bits of entries for each element, from which on sums are exact enough without fractions

  /// From row to row of panels side by side: nothing that is stored behind their ends is another row's.
  static constexpr size_t kBesideStep = 3 * hvx::kBytes;

 public:
  static constexpr bool kShallow = false, kShort = false, kOverlaps = false;  ///< see Call

  DistanceCall(const Rows& rows, const Shared<Rows>& shared, uint8_t* const* places) : Base(shared, places[0]), rows_(rows), out_(places[1]) {}

  bool held() const { return held_; }

  void run(Slice slice) const {
    const size_t most = this->shared_.beside;
    if (most == 0) return Base::run(slice);
    const size_t end = slice.end(this->shared_.size);
    for (size_t panel = slice.begin(this->shared_.size), some; panel < end; panel += some) {
      some = std::min(most, end - panel);
      beside(panel, some);
    }
  }

  /// `live`: columns that are there.
  template <bool kAligned, uint32_t kSide>
  void single(const uint8_t* at, size_t, size_t back, size_t live = kSide * Base::kLanes) const {
    HVX_Vector extremes[kSide], numbers[kSide][3][kWords];
    {
      Extremes found[kSide];
      this->template down<kAligned>(found, at, this->plan_.rows, 0, 0);
      hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA {
        found[side].words(&numbers[side][0]);
        extremes[side] = packed(numbers[side][0]);
      });
    }
    bool exact = !always_fractions();
    {
      Sums found[kSide];
      hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { found[side].set(rows_.values(), extremes[side]); });
      this->template down<kAligned>(found, at, this->plan_.rows, 0, 0);
      hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA {
        found[side].words(&numbers[side][1]);
        const size_t here = columns_of(side, live);
        for (size_t k = 0; kBytes && k < kWords && 32 * k < here; ++k) exact = exact && enough(numbers[side][1][k], here - 32 * k);
      });
    }
    for (uint32_t side = 0; side < kSide; ++side) {
      const uint8_t* const from = at + side * hvx::kBytes;
      if constexpr (kBytes) {
        for (HVX_Vector& rest : numbers[side][2]) rest = Q6_V_vzero();
        if (!exact) fractions(extremes[side], from, numbers[side][2]);
      }
      hvx::LineWords lines[kWords];
      const size_t here = columns_of(side, live);
      for (size_t k = 0; k < kWords; ++k) {
        if (32 * k < here) make({numbers[side][0][k], numbers[side][1][k], numbers[side][2][k]}, here - 32 * k, lines[k]);
        if (32 * k >= here) lines[k] = lines[0];
      }
      this->template apply<kAligned, Lines>(Source{rows_, lines, extremes[side]}, out_, from, this->plan_.rows, 0, 0, back * this->plan_.bytes);
    }
  }

  void joined(const uint8_t* at, size_t) const {
    alignas(128) int32_t kept[3][kRoom], made[4][kRoom];
    const size_t width = this->plan_.width, lanes = this->plan_.joined * width;
    take<Extremes>(at, kept, [](auto&, size_t) {});
    Base::repeat(kept[0], width, lanes);
    const auto with = [&](const auto& values) {
      return [&](auto& found, size_t from) OPKG_INLINE_LAMBDA { found.set(values, extremes_at(kept[0] + from)); };
    };
    take<Sums>(at, kept + 1, with(rows_.values()));
    bool exact = !always_fractions();
    if constexpr (kBytes) {
      for (size_t i = 0; i < width; i += 32) exact = exact && enough(hvx::load_unaligned(kept[1] + i), width - i);
      if (!exact) take<Fractions>(at, kept + 2, with(rows_.fractions()));
    }
    for (size_t i = 0; i < width; i += 32) {
      hvx::LineWords line;
      const HVX_Vector rest = kBytes && exact ? Q6_V_vzero() : hvx::load_unaligned(kept[2] + i);
      make({hvx::load_unaligned(kept[0] + i), hvx::load_unaligned(kept[1] + i), rest}, width - i < 32 ? width - i : 32, line);
      line.put(made, i);
    }
    for (auto& each : made) Base::repeat(each, width, lanes);
    this->each_joined(at, [&](auto aligned, auto side, size_t from) {
      for (size_t i = from; i < from + side * Base::kLanes; i += Base::kLanes) {
        hvx::LineWords lines[kWords];
        for (size_t k = 0; k < kWords; ++k) lines[k] = hvx::LineWords::at(made, i + 32 * k);
        const size_t whole = this->whole_rows(), bytes = this->plan_.bytes;
        const size_t rest = (this->plan_.rows - whole * this->plan_.joined) * width, live = rest > i ? rest - i : 0;
        const Source source{rows_, lines, extremes_at(kept[0] + i)};
        this->template apply<aligned, Lines>(source, out_, at + i * bytes, whole, whole * this->stride_, live * bytes, 0);
      }
    });
  }

 private:
  /// Some panels side by side, from number `panel` on: their rows are brought together, computed where they are, and brought back.
  OPKG_APART void beside(size_t panel, size_t some) const {
    alignas(128) uint8_t held[kMostBeside * kBesideStep];
    const size_t rows = this->plan_.rows, bytes = this->plan_.width * this->plan_.bytes, all = some * rows * bytes;
    const size_t first = panel * rows * bytes, behind = (this->shared_.size - panel) * rows * bytes;
    each_piece(held, this->in_ + first, some, behind, [](uint8_t* to, const uint8_t* from, size_t there) OPKG_INLINE_LAMBDA {
      const size_t before = hvx::kBytes - there;  // at the end of the tensor
      hvx::store_unaligned(to, Q6_V_vror_VR(hvx::load_unaligned(from - before), static_cast<int32_t>(before)));
    });
    DistanceCall there(*this);
    there.in_ = there.out_ = held;
    there.stride_ = kBesideStep;
    const size_t columns = some * this->plan_.width;
    columns > Base::kLanes ? there.template single<true, 2>(held, 0, 0, columns) : there.template single<true, 1>(held, 0, 0, columns);
    held_ = held_ && there.held_;
    each_piece(held, out_ + first, some, all, [](const uint8_t* from, uint8_t* to, size_t there) OPKG_INLINE_LAMBDA {
      there < hvx::kBytes ? hvx::store_some(to, there, hvx::load_unaligned(from)) : hvx::store_unaligned(to, hvx::load_unaligned(from));
    });
    rowwise::counted(true, some * this->plan_.width * this->shared_.count);
  }

  /// Calls `turn(here, there, left)` for the rows of some panels in the order of memory: where they are side by side, where they
  /// lie, and how many bytes follow from there, `left` from the first one.
  template <typename There, typename Turn>
  OPKG_INLINE void each_piece(uint8_t* here, There* there, size_t some, size_t left, const Turn& turn) const {
    const size_t rows = this->plan_.rows, bytes = this->plan_.width * this->plan_.bytes;
    size_t all = left < hvx::kBytes ? 0 : (left - hvx::kBytes) / bytes + 1;  // pieces that a vector follows
    OPKG_UNROLL(1)
    for (size_t panel = 0; panel < some; ++panel, here += bytes) {
      const size_t whole = std::min(all, rows);
      uint8_t* at = here;
      size_t row = 0;
      for (; row < whole; ++row, at += kBesideStep, there += bytes) turn(at, there, hvx::kBytes);
      left -= whole * bytes, all -= whole;
      OPKG_UNROLL(1)
      for (; row < rows; ++row, at += kBesideStep, there += bytes, left -= bytes) turn(at, there, left);
    }
  }

  /// What is found of joined columns. `set`: makes it ready for those from a number on.
  template <typename Found, typename Set>
  OPKG_INLINE void take(const uint8_t* at, int32_t (*kept)[kRoom], const Set& set) const {
    this->each_joined(at, [&](auto aligned, auto side, size_t from) {
      Found found[side];
      for (size_t i = 0; i < side; ++i) set(found[i], from + i * Base::kLanes);
      this->template down_joined<aligned>(found, at, from);
      Base::keep(kept, found, from);
    });
    hvx::fold_columns<Found>(kept, this->plan_.fold);
  }

  /// Those of some columns that a vector has.
  static OPKG_INLINE size_t columns_of(uint32_t side, size_t live) { return std::min(live - side * Base::kLanes, Base::kLanes); }

  /// What entries of a vector's columns miss.
  OPKG_APART void fractions(HVX_Vector extremes, const uint8_t* at, HVX_Vector (&to)[kWords]) const {
    Fractions found[1];
    found[0].set(rows_.fractions(), extremes);
    this->template down<false>(found, at, this->plan_.rows, 0, 0);
    found[0].words(&to);
  }

  /// The words of a vector of columns as their elements lie.
  static OPKG_INLINE HVX_Vector packed(const HVX_Vector (&words)[kWords]) {
    if constexpr (kBytes) return hvx::bytes_of(words);
    if constexpr (!kBytes) return hvx::halves_of(words);
  }
  static OPKG_INLINE HVX_Vector extremes_at(const int32_t* at) {
    HVX_Vector words[kWords];
    for (size_t k = 0; k < kWords; ++k) words[k] = hvx::load_unaligned(at + 32 * k);
    return packed(words);
  }

  OPKG_INLINE bool always_fractions() const {
    if constexpr (kBytes) return rows_.always_fractions();
    return false;
  }

  /// Whether sums of the first columns do without fractions.
  OPKG_INLINE bool enough(HVX_Vector sums, size_t live) const {
    return hvx::all_words(Q6_Q_vcmp_gt_VwVw(sums, Q6_V_vsplat_R(static_cast<int32_t>(this->shared_.count << kEnough) - 1)), live);
  }

  OPKG_INLINE void make(const HVX_Vector (&found)[3], size_t live, hvx::LineWords& to) const {
    if (!rows_.lines(found, this->shared_.count, live, found, to)) held_ = false;
  }

  const Rows& rows_;
  uint8_t* out_;
  mutable bool held_ = true;
};

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_HVX
#endif  // OPKG_COLUMNS_DISTANCE_H_

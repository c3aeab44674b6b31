// Runs generated kernels that reduce dimensions and whose results lie one after another: lanes are results. C++17.
//
// A column is what one result is made of. `width` columns stand side by side in `rows` rows that follow each other, with
// further reduced dimensions around them. Where rows are short or fit vectors badly, several of them side by side are one
// row of joined columns, which are folded at the end. What vectors cannot take is computed by opkg::reduce.
#ifndef OPKG_COLUMNS_H_
#define OPKG_COLUMNS_H_

#include "opkg/columns_few.h"
#include "opkg/columns_panels.h"
#include "opkg/hvx_finish.h"
#include "opkg/reduce.h"

namespace opkg {
namespace columns {

#if OPKG_HVX

/// One call: the columns of a tensor of integers, and the outputs.
template <typename Rows>
class Call : public Panels<Call<Rows>, Rows> {
  using Base = Panels<Call<Rows>, Rows>;
  using Found = typename Rows::Found;

 public:
  Call(const Rows& rows, const Shared<Rows>& shared, const uint8_t* in, uint8_t* const* out)
      : Base(shared, in), rows_(rows), out_(out), finish_(rows, shared.count) {}

  static constexpr bool kOverlaps = true;                                      ///< whether results may be written twice
  static constexpr bool kShort = hvx::Finish<Rows>::kShort;                    ///< whether results may come of 16 bits
  static constexpr bool kShallow = Found::kParts == 1 && Found::kBeside == 4;  ///< whether registers hold four vectors

  void run(Slice slice) const {
    if (this->plan_.together == 1) return Base::run(slice);
    alignas(128) int32_t places[Base::kMost + 128];
    hvx::place_panels(places, this->plan_.together, this->plan_.pieces, this->plan_.width);
    this->each_unit(slice, [&](size_t panel, size_t before) OPKG_INLINE_LAMBDA { together(panel, before, places); });
  }

  /// Vectors of columns side by side, from result `first` on; `back` columns are left out. `apart`: columns from the first to the second.
  template <bool kAligned, uint32_t kSide>
  void single(const uint8_t* at, size_t first, size_t back, size_t apart = Base::kLanes) const {
    Found found[kSide];
    hvx::bind(rows_, found);
    this->template down<kAligned>(found, at, this->plan_.rows, 0, 0, Found::kBlock, (kSide - 1) * apart * this->plan_.bytes);
    if constexpr (kSide > 1 && !kShort) {
      if (apart == Base::kLanes) return finish_.beside(found, finish_.line(), out_, first, kSide * Base::kLanes);
    }
    hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { finish_.lanes(found[side], out_, first + side * apart, back); });
  }

  /// Whether a column has few elements, which need no empty(); results that may come of 16 bits do.
  bool is_shallow() const {
    if constexpr (kShort) {
      if (!finish_.is_short()) return false;
    }
    return this->shared_.turns == 1 && this->plan_.rows <= Found::kBlock;
  }

  /// Shallow columns, a vector of them at least. The last vectors may begin earlier.
  template <bool kAligned>
  OPKG_APART void shallow(const uint8_t* at, size_t first, size_t columns) const {
    constexpr size_t kOne = Base::kLanes, kTwo = 2 * kOne, kFour = 4 * kOne;
    const hvx::ColumnLine line = finish_.line();  // kept apart from what is written
    uint8_t* out[Rows::kOutputs];
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) out[i] = out_[i];
    const uint8_t* const to = at + columns * this->plan_.bytes;
    size_t left = columns;
    for (; left >= kFour; left -= kFour, at += 4 * hvx::kBytes, first += kFour) few<kAligned, 4>(line, out, at, first);
    const auto last = [&](size_t n) OPKG_INLINE_LAMBDA { shallow<false>(to - n * this->plan_.bytes, first + left - n, n); };
    if (left > kTwo && columns >= kFour) return last(kFour);
    if (left >= kTwo) few<kAligned, 2>(line, out, at, first), left -= kTwo, at += 2 * hvx::kBytes, first += kTwo;
    if (left > kOne && columns >= kTwo) return last(kTwo);
    if (left > kOne) return few<false, 2>(line, out, at, first, left - kOne);
    if (left >= kOne) few<false, 1>(line, out, at, first), left -= kOne, first += kOne;
    if (left != 0) last(kOne);
  }

  /// A panel whose rows are joined: all lanes are kept, then folded.
  OPKG_APART void joined(const uint8_t* at, size_t first) const {
    if (this->plan_.joined == 1) {
      Found found[1];
      hvx::bind(rows_, found);
      this->template down_joined<false>(found, at, 0);
      return finish_.lanes(found[0], out_, first, 0, this->plan_.width);
    }
    alignas(128) Numbers kept;
    keep_joined(kept, at);
    finish_.folded(kept, this->plan_.joined, this->plan_.fold, out_, first);
  }

  bool held() const { return true; }

 private:
  using Numbers = int32_t[Found::kParts][Base::kMost + 128];

  OPKG_INLINE void keep_joined(Numbers& kept, const uint8_t* at) const {
    const size_t lanes = this->plan_.joined * this->plan_.width;
    if (kShallow && lanes > 3 * Base::kLanes && this->shared_.turns == 1 && this->plan_.deep <= Found::kBlock) {
      Found found[4];
      hvx::bind(rows_, found);
      this->down_few(found, at, lanes - Base::kLanes);
      return Base::keep(kept, found, 0, lanes - Base::kLanes);
    }
    this->each_joined(at, [&](auto aligned, auto side, size_t from) {
      Found found[side];
      hvx::bind(rows_, found);
      this->template down_joined<aligned>(found, at, from);
      Base::keep(kept, found, from);
    });
  }

  /// Panels that are taken as one, from number `panel` on; the first one of them is `before` panels earlier.
  OPKG_APART void together(size_t panel, size_t before, const int32_t* places) const {
    alignas(128) Numbers kept;
    alignas(128) Numbers packed;
    const Plan& plan = this->plan_;
    const size_t columns = (plan.together - before) * plan.width;
    keep_joined(kept, this->in_ + plan.panels.offset(panel - before));
    hvx::fold_panels<Found>(packed, kept, places, plan.together, plan.pieces, plan.width, before);
    finish_.folded(packed, 1, hvx::Fold(columns, 1), out_, panel * plan.width);
    rowwise::counted(true, columns * this->shared_.count);
  }

  template <bool kAligned, uint32_t kSide>
  OPKG_INLINE void few(const hvx::ColumnLine& line, uint8_t* const* out, const uint8_t* at, size_t first, size_t apart = Base::kLanes) const {
    Found found[kSide];
    hvx::bind(rows_, found);
    take_rows<kAligned>(found, at, this->plan_.rows, this->stride_, (kSide - 1) * apart * this->plan_.bytes);
    if constexpr (kShort) {
      HVX_Vector results[kSide];
      hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { results[side] = line.of_shorts<typename Rows::Result>(found[side].shorts()); });
      hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { hvx::store_unaligned(out[0] + first + side * apart, results[side]); });
    } else if (kSide == 2 && apart != Base::kLanes) {
      hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { finish_.lanes(found[side], out, first + side * apart, 0); });
    } else {
      finish_.beside(found, line, out, first, kSide * Base::kLanes);
    }
  }

  const Rows& rows_;
  uint8_t* const* out_;
  hvx::Finish<Rows> finish_;
};

template <typename Rows, bool kExact>
class FloatCall;  // opkg/columns_float.h
template <typename Rows>
class NormCall;  // opkg/columns_norm.h
template <typename Rows>
class DistanceCall;  // opkg/columns_distance.h
template <typename Rows, bool kExact>
class FloatNormCall;  // opkg/columns_float_norm.h

/// Whether the columns of a slice were computed in vectors. `places`: of inputs and outputs.
template <Way kWay, typename Rows>
OPKG_INLINE bool run(const Rows& rows, const Shared<Rows>& shared, const Few<Rows>& few, uint8_t* const* places, Slice slice) {
  const uint8_t* const in = places[0];
  uint8_t* const* const out = places + Rows::kInputs;
  if constexpr (kWay != Way::any) return few.template run<kWay>(rows, shared, in, out, slice), true;
  const auto taken = [&](const auto& call) {
    call.run(slice);
    return call.held();
  };
  if (!shared.taken) return false;
  if constexpr (IsNorm<Rows>::value && IsFloat<Rows>::value) {
    const bool exact = shared.count < kExactCount;
    return exact ? taken(FloatNormCall<Rows, true>(rows, shared, places)) : taken(FloatNormCall<Rows, false>(rows, shared, places));
  } else if constexpr (ByDistance<Rows>::value) {
    return taken(DistanceCall<Rows>(rows, shared, places));
  } else if constexpr (IsNorm<Rows>::value) {
    return taken(NormCall<Rows>(rows, shared, places));
  } else if constexpr (IsFloat<Rows>::value) {
    const bool exact = shared.count < kExactCount;
    return exact ? taken(FloatCall<Rows, true>(rows, shared, in, out)) : taken(FloatCall<Rows, false>(rows, shared, in, out));
  } else {
    return taken(Call<Rows>(rows, shared, in, out));
  }
}

/// The same, in the way that they have.
template <typename Rows>
bool run(const Rows& rows, const Shared<Rows>& shared, uint8_t* const* places, Slice slice) {
  const Few<Rows> few(rows, shared);
  if constexpr (Few<Rows>::kWays > 1) {
    if (few.way() == Way::alone) return run<Way::alone>(rows, shared, few, places, slice);
    if (few.way() == Way::slight) return run<Way::slight>(rows, shared, few, places, slice);
    if (few.way() == Way::turned) return run<Way::turned>(rows, shared, few, places, slice);
  }
  if constexpr (Few<Rows>::kWays > 4) {
    if (few.way() == Way::folded) return run<Way::folded>(rows, shared, few, places, slice);
  }
  if constexpr (Few<Rows>::kWays > 5) {
    if (few.way() == Way::placed) return run<Way::placed>(rows, shared, few, places, slice);
  }
  if constexpr (Few<Rows>::kWays > 6) {
    if (few.way() == Way::single) return run<Way::single>(rows, shared, few, places, slice);
  }
  if constexpr (Few<Rows>::kWays > 7) {
    if (few.way() == Way::narrow) return run<Way::narrow>(rows, shared, few, places, slice);
  }
  return run<Way::any>(rows, shared, few, places, slice);
}

#endif  // OPKG_HVX

/// Whether a struct of row functions has vector code for columns.
template <typename Rows, typename = void>
struct HasColumns : std::false_type {};
#if OPKG_HVX
template <typename Rows>
struct HasColumns<Rows, std::void_t<typename Rows::Found>> : std::true_type {};
#endif

}  // namespace columns

/// As opkg::reduce, in vectors of columns (of the first input) where they can be.
template <typename Rows>
Status reduce_columns(const Rows& rows, bool vectors, uint32_t axes, uint32_t dropped, std::initializer_list<Operand> inputs,
                      std::initializer_list<Operand> outputs, Slice slice = Slice{}) {
  if (inputs.size() != Rows::kInputs || outputs.size() != Rows::kOutputs) return Status::error;
#if OPKG_HVX
  if constexpr (columns::HasColumns<Rows>::value) {
    constexpr uint32_t kInputs = Rows::kInputs, kAll = kInputs + Rows::kOutputs;
    Operand operands[kAll];
    uint8_t* places[kAll];
    for (uint32_t i = 0; i < kAll; ++i) places[i] = (operands[i] = i < kInputs ? inputs.begin()[i] : outputs.begin()[i - kInputs]).data;
    const columns::Shared<Rows> shared(operands, axes);
    if (vectors && columns::run(rows, shared, places, slice)) return Status::ok;
    return reduce(rows, vectors, axes, dropped, inputs, outputs, shared.results(slice));
  }
#endif
  return reduce(rows, vectors, axes, dropped, inputs, outputs, slice);
}

}  // namespace opkg

#endif  // OPKG_COLUMNS_H_

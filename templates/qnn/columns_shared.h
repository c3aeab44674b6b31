// What calls of columns on tensors of the same shapes share, and which code takes them.
#ifndef OPKG_COLUMNS_SHARED_H_
#define OPKG_COLUMNS_SHARED_H_

#include <algorithm>
#include <type_traits>

#include "opkg/columns_plan.h"
#include "opkg/hvx.h"
#include "opkg/hvx_columns.h"
#include "opkg/reduce.h"

#if OPKG_HVX

namespace opkg {
namespace hvx {

/// Whether what is found of columns that stand side by side can be joined afterwards.
template <typename Found>
constexpr bool kJoinsColumns = true;

template <typename T>
class Moments;  // opkg/hvx_columns_moments.h
template <typename T>
class SquaresLow;  // opkg/hvx_columns_wide.h
template <typename T>
class SquaresTop;

}  // namespace hvx

namespace columns {

constexpr size_t kMostBeside = 40;   ///< rows of panels that are brought side by side
constexpr size_t kExactCount = 256;  ///< elements of a column of floats from which on they are summed up in blocks

/// Whether the columns are those of floats.
template <typename Rows, typename = void>
struct IsFloat : std::false_type {};
template <typename Rows>
struct IsFloat<Rows, std::void_t<decltype(Rows::kAgain)>> : std::true_type {};

/// Whether results are lines of all elements (opkg/columns_norm.h).
template <typename Rows, typename = void>
struct IsNorm : std::false_type {};
template <typename Rows>
struct IsNorm<Rows, std::void_t<typename Rows::Each>> : std::true_type {};

/// Whether they are lines of a table of distances from extremes (opkg/columns_distance.h).
template <typename Rows, typename = void>
struct ByDistance : std::false_type {};
template <typename Rows>
struct ByDistance<Rows, std::void_t<decltype(Rows::kLargest)>> : std::true_type {};

/// Whether what is found of rows that lie one after another is folded (opkg/columns_folded.h).
template <typename Found>
struct IsFolded : hvx::IsSlight<Found> {};
template <>
struct IsFolded<hvx::Found<hvx::SumLow, hvx::SumTop>> : std::true_type {};

/// Whether that goes for what is found of each lane first (opkg/hvx_fold_lines.h).
template <typename Found>
struct IsInLines : IsFolded<Found> {};
template <typename T>
struct IsInLines<hvx::Moments<T>> : std::true_type {};
template <typename T>
struct IsInLines<hvx::Found<hvx::Sum16<T>, hvx::SquaresLow<T>, hvx::SquaresTop<T>>> : std::true_type {};

/// What calls on tensors of the same shapes share. `operands`: the inputs, then the outputs.
template <typename Rows>
struct Shared {
  Plan plan;
  bool taken;     ///< whether vectors can take these columns
  bool in_steps;  ///< whether rows of vectors are multiples of 128 bytes apart
  size_t turns;   ///< places around
  size_t count;   ///< elements of a column
  size_t size;    ///< panels
  size_t beside;  ///< short panels that are brought side by side (opkg/columns_distance.h); 0: none are

  Shared(const Operand* operands, uint32_t axes)
      : plan(operands[0], axes), turns(plan.around.size()), count(plan.count()), size(plan.panels.size()) {
    bool flat = true;
    for (uint32_t i = 0; i < Rows::kInputs + Rows::kOutputs; ++i) flat = flat && !operands[i].crouton();
    taken = flat && count != 0 && plan.width != 0 && size != 0;
    if (taken && take_together()) {
      size = size / plan.panels.extents[0] * plan.units();
      turns = plan.around.size();
    } else if constexpr (hvx::kJoinsColumns<typename Rows::Found>) {
      taken = taken && plan.template join<Rows::Found::kLanes, !IsFloat<Rows>::value, kMostSlight<typename Rows::Found>>(most());
    } else {
      taken = taken && plan.width >= Rows::Found::kLanes;
    }
    if (IsNorm<Rows>::value) taken = taken && count <= most() && has_columns(operands);
    size_t steps = plan.row_bytes();
    for (uint32_t k = 0; k < plan.around.rank; ++k) steps |= plan.around.steps[k];
    in_steps = steps % hvx::kBytes == 0;
    beside = ByDistance<Rows>::value && taken ? panels_beside() : 0;
  }

  /// Whether panels are taken whole; else vectors of their columns are.
  bool in_panels() const { return plan.joined != 1 || plan.width < Rows::Found::kLanes; }
  /// Vectors of columns in a panel.
  size_t blocks() const { return (plan.width + Rows::Found::kLanes - 1) / Rows::Found::kLanes; }

  /// The results of a slice: what its vectors turn down is computed by it, and by nobody else.
  Part results(Slice slice) const {
    if (!taken) return slice;
    const size_t units = in_panels() ? size : size * blocks();
    return {place(slice.begin(units)), place(slice.end(units))};
  }

 private:
  /// Elements of a column that sums hold.
  static constexpr size_t most() {
    if constexpr (IsNorm<Rows>::value) return Rows::kMostCount;
    return Rows::Found::kHeld;
  }

  /// Whether short panels are taken together: less than half a vector of columns, of integers those whose sums 32 bits hold.
  bool take_together() {
    if constexpr (IsFloat<Rows>::value && !IsNorm<Rows>::value) {
      return 2 * plan.width < Rows::Found::kLanes && plan.take_together(Rows::Found::kLanes, 4 * Rows::Found::kLanes);
    } else if constexpr (hvx::kJoinsColumns<typename Rows::Found> && !IsNorm<Rows>::value) {
      using Found = typename Rows::Found;
      bool held = turns <= most() && 2 * plan.width < Found::kLanes;
      for (uint32_t i = 0; i < Found::kParts; ++i) held = held && (!Found::kAdds[i] || count <= static_cast<size_t>(INT32_MAX / Found::kHigh[i]));
      if (IsFolded<Found>::value && (plan.is_folded() || plan.is_placed(4 * Found::kLanes, Found::kParts))) return false;
      if (IsInLines<Found>::value && plan.is_in_lines()) return false;
      return held && !plan.template is_faster_alone<Found::kLanes, kMostSlight<Found>>(Found::kParts) && plan.take_together(Found::kLanes, 4 * Found::kLanes);
    }
    return false;
  }

  /// How many panels are brought side by side, where that takes less than to join the rows of each: packets, about.
  size_t panels_beside() const {
    constexpr size_t kLanes = Rows::Found::kLanes, kVector = 60, kNumbers = 150, kCopied = 6, kFolded = 600;
    const size_t lanes = plan.rows * plan.width, bytes = lanes * plan.bytes, some = std::min(2 * kLanes / plan.width, size);
    const bool follow = plan.panels.rank == 1 && plan.panels.steps[0] == bytes && turns == 1 && size * bytes >= hvx::kBytes;
    if (some < 2 || !follow || 2 * plan.width > kLanes || plan.rows > kMostBeside) return 0;
    const size_t vectors = (size * plan.width + kLanes - 1) / kLanes, joined = (lanes + kLanes - 1) / kLanes;
    const size_t here = vectors * (plan.rows * kVector + kNumbers) + size * plan.rows * kCopied;
    return here < size * (joined * kVector + kFolded) ? some : 0;
  }

  /// Whether all inputs but the first have a number for each column of a row, and the same ones for all rows.
  bool has_columns(const Operand* operands) const {
    bool found = true;
    for (uint32_t i = 1; i < Rows::kInputs; ++i) {
      size_t below = 1;
      for (uint32_t k = 0; k < kMaxRank; ++k) {
        const size_t extent = operands[0].extent(k);
        found = found && operands[i].extent(k) == (below < plan.width ? extent : 1);
        below *= extent;
      }
    }
    return found;
  }

  /// The first result of a panel, or of a vector of columns.
  size_t place(size_t unit) const {
    if (in_panels()) return (plan.together == 1 ? unit : plan.panel(unit)) * plan.width;
    const size_t column = unit % blocks() * Rows::Found::kLanes;
    return unit / blocks() * plan.width + column;
  }
};

/// Makes results of `n` words that lie side by side, from number `first` on.
template <typename Finish, uint32_t kParts, uint32_t kVectors>
void finish_words(const Finish& finish, const HVX_Vector (&words)[kParts][kVectors], uint8_t* const* out, size_t first, size_t n) {
  constexpr size_t kSome = 4;
  const auto line = finish.fitting_line();
  for (size_t i = 0; i < n; i += 32 * kSome) {
    HVX_Vector now[kParts][kSome];
    for (uint32_t part = 0; part < kParts; ++part) {
      for (size_t k = 0; k < kSome; ++k) now[part][k] = words[part][i / 32 + k];
    }
    finish.few(now, line, out, first + i, std::min(n - i, 32 * kSome));
  }
}

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_HVX
#endif  // OPKG_COLUMNS_SHARED_H_

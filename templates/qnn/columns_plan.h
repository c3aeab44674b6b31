// Where the columns of a tensor are: rows of them, dimensions around, and how many rows are taken side by side.
#ifndef OPKG_COLUMNS_PLAN_H_
#define OPKG_COLUMNS_PLAN_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "opkg/columns_fold.h"
#include "opkg/rows_operand.h"

namespace opkg {
namespace columns {

/// Some dimensions, innermost first, steps in bytes.
struct Dims {
  uint32_t rank = 0;
  size_t extents[kMaxRank];
  size_t steps[kMaxRank];

  void add(size_t extent, size_t step) {
    if (rank != 0 && step == steps[rank - 1] * extents[rank - 1]) {
      extents[rank - 1] *= extent;
      return;
    }
    extents[rank] = extent;
    steps[rank++] = step;
  }

  /// Takes the innermost one out.
  void drop() {
    --rank;
    for (uint32_t k = 0; k < rank; ++k) extents[k] = extents[k + 1], steps[k] = steps[k + 1];
  }

  size_t size() const {
    size_t product = 1;
    for (uint32_t k = 0; k < rank; ++k) product *= extents[k];
    return product;
  }

  size_t offset(size_t index) const {
    size_t found = 0;
    for (uint32_t k = 0; k + 1 < rank; ++k) {
      found += index % extents[k] * steps[k];
      index /= extents[k];
    }
    return rank == 0 ? 0 : found + index * steps[rank - 1];
  }
};

/// Goes through places of some dimensions, one after another.
class Walk {
 public:
  explicit Walk(const Dims& dims) : dims_(dims) {
    for (uint32_t k = 0; k < dims.rank; ++k) at_[k] = 0;
  }

  size_t offset() const { return offset_; }

  void next() {
    for (uint32_t k = 0; k < dims_.rank; ++k) {
      offset_ += dims_.steps[k];
      if (++at_[k] < dims_.extents[k]) return;
      offset_ -= dims_.steps[k] * dims_.extents[k];
      at_[k] = 0;
    }
  }

 private:
  const Dims& dims_;
  size_t offset_ = 0;
  size_t at_[kMaxRank];
};

/// Elements of a column of a tensor.
inline size_t count(const Operand& in, uint32_t axes) {
  size_t found = 1;
  for (uint32_t k = 0; k < in.rank; ++k) found *= (axes >> k & 1) != 0 ? in.extent(k) : 1;
  return found;
}

constexpr size_t kMostFolded = 2048, kFewPlaces = 128;  ///< elements of a row that lies in several places; of these, where lines of them fill vectors

/// Where the columns of a tensor are.
struct Plan {
  size_t bytes = 1;     ///< of an element
  size_t width = 1;     ///< columns side by side
  size_t rows = 1;      ///< rows of them, one after another
  Dims around;          ///< further reduced dimensions
  Dims panels;          ///< dimensions that stay, outside of rows
  size_t joined = 1;    ///< rows side by side that are taken as one
  size_t deep = 1;      ///< such rows, the last one may be short
  Fold fold;            ///< of rows that are taken as one
  size_t together = 1;  ///< panels side by side that are taken as one
  size_t pieces = 1;    ///< rows of each of these
  size_t apart = 0;     ///< bytes from one of their rows to the next, if they do not follow one another

  Plan(const Operand& in, uint32_t axes) : bytes(in.bytes) {
    size_t step = in.bytes;
    bool inside = true;
    for (uint32_t k = 0; k < in.rank; ++k) {
      const size_t extent = in.extent(k);
      const bool reduced = (axes >> k & 1) != 0;
      if (extent == 1) continue;
      if (inside && !reduced && rows == 1) {
        width *= extent;
      } else if (inside && reduced) {
        rows *= extent;
      } else {
        inside = false;
        (reduced ? around : panels).add(extent, step);
      }
      step *= extent;
    }
  }

  size_t count() const { return rows * around.size(); }                             ///< elements of a column
  size_t row_bytes() const { return apart != 0 ? apart : joined * width * bytes; }  ///< from one row to the next

  /// Takes short panels that follow one another as one, of `most` columns at most, whose rows are folded panel by panel. `least`:
  /// columns of a vector. False: there are none.
  bool take_together(size_t least, size_t most) {
    const size_t lanes = rows * width;
    if (rows == 1 || panels.rank == 0 || panels.steps[0] != lanes * bytes || (around.rank == 0 ? 4 : 2) * lanes > most) return false;
    const size_t units = divided(panels.extents[0], most / lanes);
    together = divided(panels.extents[0], units);
    pieces = rows;
    joined = rows *= together;
    if (around.rank != 0 && 2 * joined * width >= least) {  // vectors reach into the next row, no further
      apart = around.steps[0];
      deep = around.extents[0];
      rows *= deep;
      around.drop();
    }
    return true;
  }

  /// Whether columns are rows that lie one after another, and again where another dimension around ends, and are folded (opkg/columns_folded.h).
  bool is_folded() const {
    if (width != 1 || rows == 1 || panels.rank == 0 || panels.rank > 2 || around.rank > 1 || panels.steps[0] != rows * bytes) return false;
    if (around.rank == 0) return true;
    const bool is_narrow = 2 * panels.extents[0] * panels.steps[0] < 128;  // else rows joined down all places take as long
    return rows <= kMostFolded && (is_narrow || around.size() <= kFewPlaces);
  }

  /// The same of lines in which what is found of each lane is kept (opkg/hvx_fold_lines.h).
  bool is_in_lines() const { return is_folded() && rows <= kMostFolded; }

  /// Whether columns lie so and take less packets, about, when they come to slots in which what is around is joined before it is folded
  /// (opkg/columns_placed.h). `most`: columns that are taken at a time.
  bool is_placed(size_t most, size_t parts) const {
    constexpr size_t kVector = 128, kPlace = 4, kJoin = 12, kPanel = 40, kOfTwo = 24, kTurn = 5, kStart = 180, kSome = 32, kFewer = 16, kOften = 4;
    if (rows == 1 || panels.rank == 0 || panels.rank > 2 || around.rank > 1 || panels.steps[0] != rows * width * bytes) return false;
    if (2 * bytes * width > kVector || 4 * width > kVector) return false;
    const size_t turns = around.size(), row = rows * bytes;
    size_t slot = 4;
    while (slot < row && 2 * slot * width <= kVector) slot *= 2;
    if (width == 1) {
      const bool is_short = row < slot && 8 * row <= kVector;
      const bool pays = parts > 1 ? row <= 8 * kVector && turns < kOften : turns > 1 ? turns <= kOften && 2 * row <= 5 * kVector && panels.extents[0] * slot >= kSome * kVector
                                                                                     : is_short;
      return pays && panels.extents[0] * slot >= kFewer * kVector && is_folded();
    }
    const size_t vectors = divided(row, slot), side = vectors == 1 ? kVector / (slot * width) : 1;  // of a panel, panels of a vector
    const size_t here = divided(panels.size(), side) * (kPlace * turns * vectors + kJoin) + (parts == 1 ? kStart : 3 * kStart);
    const bool together = (turns == 1 ? 4 : 2) * rows * width <= most;  // panels of a line
    const size_t each = together && parts > 1 ? kOfTwo : kPanel;
    if (together && turns != 1) {
      const size_t line = panels.extents[0] * row * width, lines = panels.size() / panels.extents[0];
      return here < parts * (panels.size() * each + 2 * turns * lines * divided(line, kVector)) + kStart;
    }
    return here < panels.size() * parts * (turns * divided(row * width, kVector) + each + (turns == 1 ? 0 : kTurn * turns));
  }

  /// Whether that takes more than a panel after another does, which is less than a vector wide: packets, about.
  template <size_t kLanes, size_t kSlight>
  bool is_faster_alone(size_t parts) const {
    if (width >= kLanes || panels.rank > 1 || around.rank > 1) return false;
    constexpr size_t kTurn = 10, kPanel = 20, kStart = 200;
    const size_t turns = around.size(), now = panels.size(), each = kTurn * turns + kPanel;
    const size_t deep = width <= kSlight ? divided(rows, kLanes / width) * turns + kFold : SIZE_MAX;
    return now * (2 * std::min(rows * turns, deep) + each) < parts * (now * (rows * width + turns * rows * width / kLanes) + kStart);
  }

  /// Those units of a line of panels, and the first panel of one.
  size_t units() const { return divided(panels.extents[0], together); }
  size_t panel(size_t unit) const {
    return unit / units() * panels.extents[0] + unit % units() * together;
  }

  /// Joins rows to fill vectors of kLanes elements, up to four of them. `held`: rows that sums of one lane hold; kNarrow: whether
  /// they may fill a part of a vector; kSlight: columns of one vector that are folded in registers. False: there are more.
  template <size_t kLanes, bool kNarrow, size_t kSlight>
  bool join(size_t held) {
    const bool fits = join_rows<kLanes, kNarrow, kSlight>(held);
    fold = Fold(width, joined);
    return fits;
  }

 private:
  template <size_t kLanes, bool kNarrow, size_t kSlight>
  bool join_rows(size_t held) {
    const size_t turns = around.size();
    const bool many = rows * turns > held;
    deep = rows;
    if (!many && (width % kLanes == 0 || width >= 4 * kLanes)) return true;
    joined = rows * width <= kLanes ? rows : 1;
    deep = joined == 1 ? rows : 1;
    const bool fits = joined == rows || width >= kLanes || (kNarrow && 2 * width >= kLanes);  // vectors reach into the next row, no further
    size_t cost = fits ? deep * vectors<kLanes>(joined) : SIZE_MAX;
    for (size_t lanes = rows * width < kFew * kLanes ? kLanes : 2 * kLanes; lanes <= 4 * kLanes; lanes += kLanes) {
      const size_t side = lanes / width < rows ? lanes / width : rows;
      if (side == 0 || (!kNarrow && side * width < kLanes) || side == joined) continue;
      const size_t now = divided(rows, side), fold = is_slight<kLanes, kSlight>(side, now) ? kFold : kFold * (5 + vectors<kLanes>(side));
      if (now * vectors<kLanes>(side) + fold >= cost && deep * turns <= held) continue;
      joined = side;
      deep = now;
      cost = now * vectors<kLanes>(side) + fold;
      if (side * width == lanes && !many) break;
    }
    return deep * turns <= held;
  }

  static constexpr size_t kFew = 256, kFold = 12;  ///< rows that need no care; packets

  /// Whether joined rows are one vector, and few: what is found of them stays in registers.
  template <size_t kLanes, size_t kSlight>
  bool is_slight(size_t side, size_t now) const {
    return side * width <= kLanes && width <= kSlight && now <= kFew && around.size() == 1;
  }

  static size_t divided(size_t n, size_t by) { return (n + by - 1) / by; }

  template <size_t kLanes>
  size_t vectors(size_t side) const {
    return divided(side * width, kLanes);
  }
};

}  // namespace columns
}  // namespace opkg

#endif  // OPKG_COLUMNS_PLAN_H_

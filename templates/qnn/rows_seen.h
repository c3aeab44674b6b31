// Runs generated elementwise kernels over parts of tensors: rows that lie apart, and elements that are brought together first.
#ifndef OPKG_ROWS_SEEN_H_
#define OPKG_ROWS_SEEN_H_

#include <utility>

#include "opkg/rows_plan.h"
#include "opkg/rows_table.h"
#include "opkg/seen.h"
#include "opkg/seen_copies.h"

namespace opkg {

namespace rowwise {

/// Some places of the last of those dimensions that operands have in common, of so many.
struct Cut {
  size_t begin, end, of;
};

/// The loops over a result's dimensions, neighbours joined where all operands go on alike. The last two dimensions are rows of
/// elements. Where elements of an operand do not lie side by side, or rows are short, some of them are brought together in
/// a buffer.
template <uint32_t kInputs, uint32_t kOutputs>
class SeenRows {
 public:
  static constexpr uint32_t kOperands = kInputs + kOutputs;
  static constexpr uint32_t kSlots = Domain<kInputs>::kSlots;
  static constexpr size_t kLeastArena = kOperands * (kMostStep * 8 + 2 * kAlignment);  // a step of the widest elements
  static constexpr size_t kArena = kArenaBytes > kLeastArena ? kArenaBytes : kLeastArena;

  OPKG_SMALL SeenRows(const RowFunctions& functions, const SeenOperand* operands) : step_(functions.step) {
    const SeenOperand& result = operands[kInputs];
    for (uint32_t k = 2; k < kDims; ++k) extents_[k] = 1;
    extents_[0] = extents_[1] = 1;
    for (uint32_t i = 0; i < kOperands; ++i) {
      const SeenOperand& o = operands[i];
      bytes_[i] = o.base.bytes;
      valid_ &= o.valid;
      for (uint32_t k = result.base.rank; k < o.base.rank; ++k) valid_ &= o.base.extent(k) == 1;
      for (uint32_t k = 0; k < result.base.rank; ++k) {
        const uint32_t own = o.base.extent(k);
        valid_ &= own == result.base.extent(k) || (own == 1 && i < kInputs);
      }
      firsts_[i] = o.first;
      operands_[i].bytes = o.base.bytes;
    }
    if (!valid_) return;
    for (uint32_t k = 0; k < result.base.rank; ++k) add(operands, k);  // from the last one
    for (uint32_t k = 0; k < kDims; ++k) size_ *= extents_[k];
    if (size_ == 0) return;
    take_longest();
    find_buffers();
    strips_ = functions.walking(hvx::Walk::strips, 0);
    aligned_ = functions.walking(hvx::Walk::aligned_strips, 0);
  }

  bool valid() const { return valid_; }
  size_t size() const { return size_; }

  /// What a slice has; run() may cut along rows, but for cut_last().
  Cut cut(Slice slice) const {
    const uint32_t last = rank_ < 2 ? 0 : rank_ - 1;
    const size_t unit = last == 0 ? step_ : 1;
    return {slice.begin(extents_[last], unit), slice.end(extents_[last], unit), extents_[last]};
  }
  void cut_last() { ordered_ = false; }

  /// `data`: of the operands.
  void run(const KernelRows& kernel, uint8_t* const* data, Slice slice) const {
    alignas(kAlignment) uint8_t arena[kArena];
    uint8_t* from[kOperands];
    for (uint32_t i = 0; i < kOperands; ++i) from[i] = data[i] + firsts_[i];
    const size_t units = rank_ < 2 ? 1 : size_ / extents_[0];  // rows
    if (units == 1) {
      const size_t first = slice.begin(extents_[0], step_), last = slice.end(extents_[0], step_);
      if (first < last) rows(kernel, from, arena, 1, first, last);
      return;
    }
    const size_t whole = ordered_ ? 1 : units / extents_[rank_ - 1];  // slices are what lies together in results
    const size_t first = slice.begin(units / whole) * whole, last = slice.end(units / whole) * whole;
    size_t at[kDims] = {};
    if (first != 0) begin(first, at, from);
    for (size_t row = first; row < last;) {  // as many rows as lie along the second dimension
      const size_t rest = extents_[1] - at[1], count = last - row < rest ? last - row : rest;
      rows(kernel, from, arena, count, 0, extents_[0]);
      row += count;
      for (uint32_t i = 0; i < kOperands; ++i) from[i] -= static_cast<intptr_t>(at[1]) * steps_[i][1];
      at[1] = 0;
      for (uint32_t k = 2; k < rank_; ++k) {
        for (uint32_t i = 0; i < kOperands; ++i) from[i] += steps_[i][k];
        if (++at[k] < extents_[k]) break;
        for (uint32_t i = 0; i < kOperands; ++i) from[i] -= static_cast<intptr_t>(extents_[k]) * steps_[i][k];
        at[k] = 0;
      }
    }
  }

  /// What follows are calls of copy().
  OPKG_SMALL void will_copy(const uint32_t* from) {
#if OPKG_HVX
    for (uint32_t o = kInputs; o < kOperands; ++o, ++from) {
      const intptr_t size = bytes_[o], row = static_cast<intptr_t>(extents_[0]) * size;
      const bool dense = rank_ == 2 && steps_[o][0] == size && steps_[*from][0] == size && extents_[1] >= kManyRows;
      windows_[o] = dense ? hvx::RowWindows(row, steps_[o][1], steps_[*from][1]) : hvx::RowWindows();
    }
#endif
  }

  /// As run(), where each output has an input's elements as they are stored: input number from[0] is the first one's.
  OPKG_RARE void copy(const uint32_t* from, uint8_t* const* data, Slice slice) const {
    const uint32_t last = rank_ < 2 ? 0 : rank_ - 1;
    const Cut cut = this->cut(slice);
    if (cut.begin >= cut.end) return;
    for (uint32_t o = kInputs; o < kOperands; ++o, ++from) {
      Copy dims;
      for (uint32_t k = 0; k < rank_; ++k) {
        const size_t n = k == last ? cut.end - cut.begin : extents_[k];
        dims.add({static_cast<int64_t>(n), steps_[o][k], steps_[*from][k]});
      }
      const intptr_t to = firsts_[o] + static_cast<intptr_t>(cut.begin) * steps_[o][last];
      const intptr_t at = firsts_[*from] + static_cast<intptr_t>(cut.begin) * steps_[*from][last];
#if OPKG_HVX
      if (windows_[o].fits()) {
        windows_[o].copy(data[o] + to, data[*from] + at, static_cast<intptr_t>(cut.end - cut.begin));
        continue;
      }
#endif
      copy_elements(bytes_[o], data[o] + to, data[*from] + at, dims);
    }
  }

 private:
  static constexpr uint32_t kDims = kMaxRank + 2;

  /// A dimension of the result in front of those that are there.
  void add(const SeenOperand* operands, uint32_t from_end) {
    const size_t extent = operands[kInputs].base.extent(from_end);
    if (extent == 1) return;
    intptr_t steps[kOperands];
    bool joins = rank_ != 0;
    for (uint32_t i = 0; i < kOperands; ++i) {
      const SeenOperand& o = operands[i];
      steps[i] = o.base.extent(from_end) == 1 ? 0 : o.steps[o.base.rank - 1 - from_end];
      if (rank_ != 0) joins &= steps[i] == steps_[i][rank_ - 1] * static_cast<intptr_t>(extents_[rank_ - 1]);
    }
    if (joins) {
      extents_[rank_ - 1] *= extent;
      return;
    }
    extents_[rank_] = extent;
    for (uint32_t i = 0; i < kOperands; ++i) steps_[i][rank_] = steps[i];
    ++rank_;
  }

  /// Rows follow one another along a dimension with many, where the second one has few. Slices are cut along the last one.
  void take_longest() {
    uint32_t found = 1;
    for (uint32_t k = 2; k + 1 < rank_; ++k) found = extents_[1] < 8 && extents_[k] > 2 * extents_[found] ? k : found;
    if (found == 1) return;
    ordered_ = false;
    std::swap(extents_[1], extents_[found]);
    for (uint32_t i = 0; i < kOperands; ++i) std::swap(steps_[i][1], steps_[i][found]);
  }

  /// Which operands are brought together, and how many elements of a row, or rows, at a time.
  void find_buffers() {
    uint32_t widest = 1;
    const bool narrow = extents_[0] < step_;
    for (uint32_t i = 0; i < kOperands; ++i) {
      if (extents_[0] == 1) steps_[i][0] = bytes_[i];
      const intptr_t row = static_cast<intptr_t>(extents_[0] * bytes_[i]);
      const bool dense = steps_[i][0] == static_cast<intptr_t>(bytes_[i]) && (!narrow || extents_[1] == 1 || steps_[i][1] == row);
      if (dense) continue;
      buffered_ |= uint64_t{1} << i;
      ++buffers_;
      if (bytes_[i] > widest) widest = bytes_[i];
    }
    if (buffers_ == 0) return;
    room_ = kArena / buffers_ / kAlignment * kAlignment;
    const size_t most = (room_ - kAlignment) / widest;
    columns_ = most < extents_[0] ? most / step_ * step_ : extents_[0];
    at_once_ = most / columns_;
    if (columns_ == extents_[0] && size_ >= kManyRows * columns_) find_windows();
  }

  /// Rows in one piece come to buffers by windows.
  OPKG_SMALL void find_windows() {
#if OPKG_HVX
    for (uint32_t i = 0; i < kOperands; ++i) {
      const intptr_t row = static_cast<intptr_t>(extents_[0] * bytes_[i]);
      if (!is_buffered(i) || steps_[i][0] != static_cast<intptr_t>(bytes_[i])) continue;
      windows_[i] = hvx::RowWindows(row, i < kInputs ? row : steps_[i][1], i < kInputs ? steps_[i][1] : row);
    }
#endif
  }

  /// Copies whole rows of an operand to its buffer, or from there.
  void copy(uint32_t i, uint8_t* to, const uint8_t* from, size_t rows, size_t n, bool in) const {
    const intptr_t count = static_cast<intptr_t>(rows), row = static_cast<intptr_t>(n * bytes_[i]), size = bytes_[i];
#if OPKG_HVX
    if (windows_[i].fits()) return windows_[i].copy(to, from, count);
#endif
    if (in) return copy_rows(bytes_[i], to, from, count, row, steps_[i][1], static_cast<intptr_t>(n), size, steps_[i][0]);
    copy_rows(bytes_[i], to, from, count, steps_[i][1], row, static_cast<intptr_t>(n), steps_[i][0], size);
  }

  bool is_buffered(uint32_t i) const { return (buffered_ >> i & 1) != 0; }

  /// Goes to a row.
  OPKG_RARE void begin(size_t row, size_t* at, uint8_t** from) const {
    for (uint32_t k = 1; k < rank_; ++k) {
      at[k] = row % extents_[k];
      row /= extents_[k];
      for (uint32_t i = 0; i < kOperands; ++i) from[i] += static_cast<intptr_t>(at[k]) * steps_[i][k];
    }
  }

  /// `count` rows, of each the elements first <= i < last. `from`: where the operands of the first one begin.
  void rows(const KernelRows& kernel, uint8_t* const* from, uint8_t* arena, size_t count, size_t first, size_t last) const {
    if (buffers_ == 0 && first == 0) return computed(kernel, from, count, last);
    const size_t some = buffers_ == 0 || at_once_ > count ? count : at_once_;
    const size_t wide = buffers_ == 0 ? last - first : columns_;
    for (size_t at = 0; at < count; at += some) {
      const size_t now = count - at < some ? count - at : some;
      for (size_t column = first; column < last; column += wide) {
        const size_t n = last - column < wide ? last - column : wide;
        uint8_t* place[kOperands];
        for (uint32_t i = 0; i < kOperands; ++i) place[i] = from[i] + static_cast<intptr_t>(at) * steps_[i][1] + static_cast<intptr_t>(column) * steps_[i][0];
        brought(kernel, place, arena, now, n);
      }
    }
  }

  /// Some rows: inputs that have a buffer are copied there, and results from there.
  void brought(const KernelRows& kernel, uint8_t* const* place, uint8_t* arena, size_t rows, size_t n) const {
    uint8_t* at[kOperands];
    intptr_t apart[kOperands];
    uint8_t* buffer = arena;
    for (uint32_t i = 0; i < kOperands; ++i) {
      at[i] = place[i];
      apart[i] = steps_[i][1];
      if (!is_buffered(i)) continue;
      at[i] = buffer;
      apart[i] = static_cast<intptr_t>(n * bytes_[i]);
      buffer += room_;
      if (i < kInputs) copy(i, at[i], place[i], rows, n, true);
    }
    computed(kernel, at, apart, rows, n);
    for (uint32_t i = kInputs; i < kOperands; ++i) {
      if (is_buffered(i)) copy(i, place[i], at[i], rows, n, false);
    }
  }

  /// Rows of operands that have no buffer.
  void computed(const KernelRows& kernel, uint8_t* const* from, size_t rows, size_t n) const {
    intptr_t apart[kOperands];
    for (uint32_t i = 0; i < kOperands; ++i) apart[i] = steps_[i][1];
    computed(kernel, from, apart, rows, n);
  }

  /// Rows whose elements lie side by side, so many bytes apart.
  void computed(const KernelRows& kernel, uint8_t* const* at, const intptr_t* apart, size_t rows, size_t n) const {
    bool one = true;
    for (uint32_t i = 0; i < kOperands; ++i) one &= rows == 1 || apart[i] == static_cast<intptr_t>(n * bytes_[i]);
    if (one) return row(kernel, at, rows * n);
    const size_t strips = (n + step_ - 1) / step_;
    if (kernel.vectors && strips_ != nullptr && n >= step_ && strips * kStrip <= rows * kRow) return in_strips(kernel, at, apart, rows, n);
    uint8_t* now[kOperands];
    for (uint32_t i = 0; i < kOperands; ++i) now[i] = at[i];
    for (size_t k = 0; k < rows; ++k) {
      row(kernel, now, n);
      for (uint32_t i = 0; i < kOperands; ++i) now[i] += apart[i];
    }
  }

  /// A strip is a step of each row; the last one may lie over the one in front of it.
  void in_strips(const KernelRows& kernel, uint8_t* const* at, const intptr_t* apart, size_t rows, size_t n) const {
    hvx::Path paths[kOperands] = {};
    uintptr_t places = n * bytes_[0] % kAlignment;
    for (uint32_t i = 0; i < kOperands; ++i) {
      paths[i].stride = static_cast<size_t>(apart[i]);
      places |= reinterpret_cast<uintptr_t>(at[i]) | static_cast<uintptr_t>(apart[i]) | n * bytes_[i];
    }
    const VectorFunction vectors = kTellsAlignment && places % kAlignment == 0 ? aligned_ : strips_;
    bool fine = true;
    for (size_t column = 0; column < n; column += step_) {
      const size_t first = n - column < step_ ? n - step_ : column;
      const void* in[kSlots] = {};
      void* out[kOutputs];
      for (uint32_t i = 0; i < kInputs; ++i) in[i] = at[i] + first * bytes_[i];
      for (uint32_t i = 0; i < kOutputs; ++i) out[i] = at[kInputs + i] + first * bytes_[kInputs + i];
      fine &= vectors(kernel.rows, in, out, rows * step_, paths);
    }
    counted(fine, rows * n);
    for (size_t k = 0; !fine && k < rows; ++k) {
      uint8_t* now[kOperands];
      for (uint32_t i = 0; i < kOperands; ++i) now[i] = at[i] + static_cast<intptr_t>(k) * apart[i];
      portable(kernel, now, n);
    }
  }

  void row(const KernelRows& kernel, uint8_t* const* at, size_t n) const {
    if (!kernel.vectors) {
      counted(false, n);
      return portable(kernel, at, n);
    }
    const uint8_t* in[kSlots] = {};
    uint8_t* out[kOutputs];
    for (uint32_t i = 0; i < kInputs; ++i) in[i] = at[i];
    for (uint32_t i = 0; i < kOutputs; ++i) out[i] = at[kInputs + i];
    RowCall<kInputs, kOutputs>(kernel, 0).whole(operands_, operands_ + kInputs, in, out, n);
  }

  OPKG_RARE void portable(const KernelRows& kernel, uint8_t* const* at, size_t n) const {
    const void* in[kSlots] = {};
    void* out[kOutputs];
    uint32_t steps[kSlots];
    for (uint32_t i = 0; i < kSlots; ++i) steps[i] = 1;
    for (uint32_t i = 0; i < kInputs; ++i) in[i] = at[i];
    for (uint32_t i = 0; i < kOutputs; ++i) out[i] = at[kInputs + i];
    kernel.functions->portable(kernel.rows, in, steps, out, n);
  }

  static constexpr size_t kManyRows = 64;          // that windows pay for
  static constexpr size_t kStrip = 60, kRow = 80;  // packets of a strip and of a row besides their steps

  size_t step_;
  bool valid_ = true;
  bool ordered_ = true;  ///< rows lie one after another in results, and slices may end with any
  uint32_t rank_ = 0;
  size_t size_ = 1;
  size_t extents_[kDims];  ///< the last dimension first
  intptr_t steps_[kOperands][kDims] = {};
  intptr_t firsts_[kOperands];
  uint32_t bytes_[kOperands];
  Operand operands_[kOperands];  ///< for the size of their elements
  uint64_t buffered_ = 0;
  uint32_t buffers_ = 0;
  size_t room_ = 0;     ///< bytes of a buffer
  size_t columns_ = 0;  ///< elements of a row that are brought together,
  size_t at_once_ = 0;  ///< of so many rows
#if OPKG_HVX
  hvx::RowWindows windows_[kOperands];
#endif
  VectorFunction strips_ = nullptr;
  VectorFunction aligned_ = nullptr;
};

}  // namespace rowwise

/// As elementwise(), of parts of tensors. No output may lie where an input does.
template <typename Rows>
Status elementwise_seen(const Rows& rows, bool vectors, std::initializer_list<SeenOperand> inputs,
                        std::initializer_list<SeenOperand> outputs, Slice slice = Slice{}) {
  static_assert(Rows::kStep <= rowwise::kMostStep && Rows::kOutputs > 0, "a step is at most a vector of bytes");
  if (inputs.size() != Rows::kInputs || outputs.size() != Rows::kOutputs) return Status::error;
  SeenOperand all[Rows::kInputs + Rows::kOutputs];
  uint8_t* data[Rows::kInputs + Rows::kOutputs];
  SeenOperand* next = all;
  for (const SeenOperand& o : inputs) *next++ = o;
  for (const SeenOperand& o : outputs) *next++ = o;
  for (uint32_t i = 0; i < Rows::kInputs + Rows::kOutputs; ++i) data[i] = all[i].base.data;
  const rowwise::RowFunctions& functions = rowwise::kRowFunctions<Rows>;
  rowwise::SeenRows<Rows::kInputs, Rows::kOutputs> seen(functions, all);
  if (!seen.valid()) return Status::unsupported;
  if (seen.size() == 0) return Status::ok;
  if (const uint32_t* from = rowwise::Copies<Rows>::of(rows)) {
    seen.will_copy(from);
    seen.copy(from, data, slice);
  } else {
    seen.run({&functions, &rows, vectors && functions.vector}, data, slice);
  }
  return Status::ok;
}

}  // namespace opkg

#endif  // OPKG_ROWS_SEEN_H_

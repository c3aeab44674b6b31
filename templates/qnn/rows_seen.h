// Runs generated elementwise kernels over parts of tensors: rows that lie apart, and elements that are brought together first.
#ifndef OPKG_ROWS_SEEN_H_
#define OPKG_ROWS_SEEN_H_

#include <algorithm>

#include "opkg/rows_plan.h"
#include "opkg/seen_run.h"

namespace opkg {

namespace rowwise {

/// The loops over a result's dimensions. Where elements of an operand do not lie side by side, or rows are short, some of them are
/// brought together in a buffer.
template <uint32_t kInputs, uint32_t kOutputs>
class SeenRows : public SeenRun<kInputs, kOutputs> {
  using Brought = SeenRun<kInputs, kOutputs>;
  using Dims = SeenDims<kInputs, kOutputs>;
  using Brought::at_once_, Brought::buffered_, Brought::columns_, Brought::many_, Brought::planes_, Brought::room_;
  using Dims::bytes_, Dims::each_, Dims::extents_, Dims::firsts_, Dims::ordered_, Dims::rank_, Dims::rows_, Dims::size_, Dims::step_, Dims::steps_;
  using Buffers = typename Brought::Buffers;

 public:
  using Dims::kOperands;
  static constexpr uint32_t kSlots = Domain<kInputs>::kSlots;

  /// `many`: rows that preparing their copies pays for.
  OPKG_SMALL SeenRows(const RowFunctions& functions, const SeenOperand* operands, size_t many = Brought::kManyRows) : Brought(functions, operands, many) {
    if (!this->valid() || size_ == 0) return;
    for (uint32_t i = 0; i < kOperands; ++i) operands_[i].bytes = bytes_[i];
    strips_ = functions.walking(hvx::Walk::strips, 0);
    aligned_ = functions.walking(hvx::Walk::aligned_strips, 0);
  }

  /// `data`: of the operands.
  void run(const KernelRows& kernel, uint8_t* const* data, Slice slice) const {
    Buffers buffers;
    uint8_t* from[kOperands];
    for (uint32_t i = 0; i < kOperands; ++i) from[i] = data[i] + firsts_[i];
    const bool in_runs = kernel.vectors && this->in_runs();
    if (rank_ < 2) {
      const size_t first = slice.begin(extents_[0], step_), last = slice.end(extents_[0], step_);
      if (first >= last) return;
      return in_runs ? runs(kernel, from, buffers, 1, 1, first, last) : rows(kernel, from, buffers, 1, first, last);
    }
    const size_t units = ordered_ ? rows_ : extents_[rank_ - 1];  // slices are what lies together in results
    const size_t whole = ordered_ ? 1 : each_;
    const size_t first = slice.begin(units) * whole, last = slice.end(units) * whole;
    size_t at[Dims::kDims] = {};
    if (first != 0) this->begin(first, at, from);
    for (size_t row = first; row < last;) {  // as many rows as lie along the second dimension, or several times as many
      const size_t rest = extents_[1] - at[1], count = last - row < rest ? last - row : rest;
      const size_t most = in_runs ? this->run_planes() : planes_;
      size_t planes = 1;
      if (most > 1 && count == extents_[1]) planes = std::min({most, extents_[2] - at[2], (last - row) / count});
      if (in_runs) {
        runs(kernel, from, buffers, planes, count, 0, extents_[0]);
      } else if (planes > 1) {
        brought(kernel, from, buffers, planes, count, extents_[0]);
      } else {
        rows(kernel, from, buffers, count, 0, extents_[0]);
      }
      row += planes * count;
      for (uint32_t i = 0; i < kOperands; ++i) from[i] -= static_cast<intptr_t>(at[1]) * steps_[i][1];
      at[1] = 0;
      for (uint32_t k = 2; k < rank_; ++k, planes = 1) {
        for (uint32_t i = 0; i < kOperands; ++i) from[i] += static_cast<intptr_t>(planes) * steps_[i][k];
        at[k] += planes;
        if (at[k] < extents_[k]) break;
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
      const bool dense = rank_ == 2 && steps_[o][0] == size && steps_[*from][0] == size && extents_[1] >= many_;
      this->windows_[o] = dense ? hvx::RowWindows(row, steps_[o][1], steps_[*from][1], hvx::RowWindows::nowhere) : hvx::RowWindows();
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
      if (this->windows_[o].fits()) {
        this->windows_[o].copy(data[o] + to, data[*from] + at, static_cast<intptr_t>(cut.end - cut.begin));
        continue;
      }
#endif
      copy_elements(bytes_[o], data[o] + to, data[*from] + at, dims);
    }
  }

 private:
  /// `count` rows, of each the elements first <= i < last. `from`: where the operands of the first one begin.
  void rows(const KernelRows& kernel, uint8_t* const* from, Buffers& buffers, size_t count, size_t first, size_t last) const {
    if (buffered_ == 0 && first == 0) return computed(kernel, from, count, last);
    const size_t some = buffered_ == 0 || at_once_ > count ? count : at_once_;
    const size_t wide = buffered_ == 0 ? last - first : columns_;
    for (size_t at = 0; at < count; at += some) {
      const size_t now = count - at < some ? count - at : some;
      for (size_t column = first; column < last; column += wide) {
        const size_t n = last - column < wide ? last - column : wide;
        uint8_t* place[kOperands];
        for (uint32_t i = 0; i < kOperands; ++i) place[i] = from[i] + static_cast<intptr_t>(at) * steps_[i][1] + static_cast<intptr_t>(column) * steps_[i][0];
        brought(kernel, place, buffers, 1, now, n);
      }
    }
  }

  /// `count` rows, so many times, or of one row the elements first <= i < last, as runs.
  void runs(const KernelRows& kernel, uint8_t* const* from, Buffers& buffers, size_t planes, size_t count, size_t first, size_t last) const {
    const size_t most = planes > 1 ? count : this->run_rows(), wide = this->run_columns();
    const size_t some = count <= most ? count : (count - 1) / ((count - 1) / most + 1) + 1;  // runs of one length
    for (size_t at = 0; at < count; at += some) {
      const size_t now = count - at < some ? count - at : some;
      for (size_t column = first; column < last; column += wide) {
        const size_t n = last - column < wide ? last - column : wide;
        uint8_t *place[kOperands], *begins[kOperands];
        for (uint32_t i = 0; i < kOperands; ++i) place[i] = from[i] + static_cast<intptr_t>(at) * steps_[i][1] + static_cast<intptr_t>(column) * steps_[i][0];
        this->begin_run(place, buffers, planes, now, n, begins);
        row(kernel, begins, this->length(planes * now, n));
        this->end_run(place, begins, planes * now, n);
      }
    }
  }

  /// Some rows, so many times: inputs that have a buffer are copied there, if they are not there yet, and results from there.
  void brought(const KernelRows& kernel, uint8_t* const* place, Buffers& buffers, size_t planes, size_t rows, size_t n) const {
    uint8_t* at[kOperands];
    intptr_t apart[kOperands];
    uint8_t* buffer = buffers.arena;
    for (uint32_t i = 0; i < kOperands; ++i) {
      at[i] = place[i];
      apart[i] = steps_[i][1];
      if (!this->is_buffered(i)) continue;
      at[i] = buffer;
      apart[i] = static_cast<intptr_t>(n * bytes_[i]);
      buffer += room_;
      if (i >= kInputs) continue;
      auto& held = buffers.held[i];
      if (held.place == place[i] && held.n == n && held.rows >= planes * rows) continue;
      held = {place[i], n, planes * rows};
      this->bring(i, at[i], place[i], planes, rows, n);
    }
    computed(kernel, at, apart, planes * rows, n);
    for (uint32_t i = kInputs; i < kOperands; ++i) {
      if (this->is_buffered(i)) this->bring(i, at[i], place[i], planes, rows, n);
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

  static constexpr size_t kStrip = 60, kRow = 80;  // packets of a strip and of a row besides their steps

  Operand operands_[kOperands];  ///< for the size of their elements
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

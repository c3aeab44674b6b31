// Buffers of elements that parts of tensors do not have side by side: which operands need one, for how many rows, and the copies.
#ifndef OPKG_SEEN_BUFFERS_H_
#define OPKG_SEEN_BUFFERS_H_

#include "opkg/rows_table.h"
#include "opkg/seen_copies.h"
#include "opkg/seen_dims.h"

namespace opkg::rowwise {

/// The dimensions of a result, and what of each operand is brought together at a time.
template <uint32_t kInputs, uint32_t kOutputs>
class SeenBuffers : public SeenDims<kInputs, kOutputs> {
  using Dims = SeenDims<kInputs, kOutputs>;

 public:
  using Dims::kOperands;
  static constexpr size_t kManyRows = 64;  ///< that windows pay for which are made in each call

 protected:
  using Dims::bytes_, Dims::extents_, Dims::rank_, Dims::size_, Dims::step_, Dims::steps_;

  static constexpr size_t kLeastArena = kOperands * (kMostStep * 8 + 2 * kAlignment);  // a step of the widest elements
  static constexpr size_t kArena = kArenaBytes > kLeastArena ? kArenaBytes : kLeastArena;

  /// Rows of an input that its buffer holds: so many of n elements, from a place on.
  struct Held {
    const uint8_t* place = nullptr;
    size_t n = 0, rows = 0;
  };

  struct Buffers {
    alignas(kAlignment) uint8_t arena[kArena];
    Held held[kOperands];
  };

  OPKG_SMALL SeenBuffers(const SeenOperand* operands, size_t step, size_t many, bool runs) : Dims(operands, step, runs), many_(many) {
    if (this->valid() && size_ != 0) find_buffers();
  }

  bool is_buffered(uint32_t i) const { return (buffered_ >> i & 1) != 0; }

  /// Copies whole rows of an operand, so many times as many, to its buffer, or from there.
  void bring(uint32_t i, uint8_t* buffer, uint8_t* place, size_t planes, size_t rows, size_t n) const {
    const bool in = i < kInputs;
    const intptr_t size = bytes_[i], row = static_cast<intptr_t>(n) * size, apart = steps_[i][1], further = steps_[i][2];
    const intptr_t plane = static_cast<intptr_t>(rows) * row;
    if (planes != 1 && further == 0) {
      bring(i, buffer, place, 1, rows, n);
      return again(buffer, static_cast<size_t>(plane), planes);
    }
    if (planes != 1 && further == static_cast<intptr_t>(rows) * apart) rows *= planes, planes = 1;
    const intptr_t count = static_cast<intptr_t>(rows);
#if OPKG_HVX
    if (windows_[i].fits()) {
      for (; planes != 0; --planes, buffer += plane, place += further) in ? windows_[i].copy(buffer, place, count) : windows_[i].copy(place, buffer, count);
      return;
    }
#endif
    const auto dim = [in](size_t k, intptr_t here, intptr_t there) { return Copy::Dim{static_cast<int64_t>(k), in ? here : there, in ? there : here}; };
    copy_rows(bytes_[i], in ? buffer : place, in ? place : buffer, dim(n, size, steps_[i][0]), dim(rows, row, apart), dim(planes, plane, further));
  }

  size_t many_;
  uint64_t buffered_ = 0;
  size_t room_ = 0;     ///< bytes of a buffer
  size_t columns_ = 0;  ///< elements of a row that are brought together,
  size_t at_once_ = 0;  ///< of so many rows,
  size_t planes_ = 1;   ///< or all rows of the second dimension so many times
#if OPKG_HVX
  hvx::RowWindows windows_[kOperands];
#endif

 private:
  /// Which operands are brought together, and how many elements of a row, or rows, at a time.
  void find_buffers() {
    const bool narrow = extents_[0] < step_;
    for (uint32_t i = 0; i < kOperands; ++i) {
      if (extents_[0] == 1) steps_[i][0] = bytes_[i];
      if (!this->together(i, narrow ? 2 : 1)) buffered_ |= uint64_t{1} << i;
    }
    if (buffered_ == 0) return;
    size_t most = divide();
    columns_ = most < extents_[0] ? most / step_ * step_ : extents_[0];
    take_planes();
    most = divide();
    at_once_ = most / columns_;
    if (columns_ == extents_[0] && size_ >= many_ * columns_) find_windows();
  }

  /// Divides the arena. Returns how many elements a buffer holds.
  size_t divide() {
    uint32_t widest = 1, buffers = 0;
    for (uint32_t i = 0; i < kOperands; ++i) {
      if (!is_buffered(i)) continue;
      ++buffers;
      if (bytes_[i] > widest) widest = bytes_[i];
    }
    room_ = kArena / buffers / kAlignment * kAlignment;
    return (room_ - kAlignment) / widest;
  }

  /// Where buffers hold all rows of the second dimension more than once, so many of these are brought together.
  OPKG_SMALL void take_planes() {
    const uint64_t before = buffered_;
    if (rank_ < 3) return;
    for (uint32_t i = 0; i < kOperands; ++i) {
      if (!this->together(i, 3)) buffered_ |= uint64_t{1} << i;
    }
    planes_ = divide() / (extents_[0] * extents_[1]);
    if (planes_ < 2) buffered_ = before;
  }

  /// Rows in one piece come to buffers by windows.
  OPKG_SMALL void find_windows() {
#if OPKG_HVX
    for (uint32_t i = 0; i < kOperands; ++i) {
      const intptr_t row = static_cast<intptr_t>(extents_[0] * bytes_[i]);
      if (!is_buffered(i) || steps_[i][0] != static_cast<intptr_t>(bytes_[i])) continue;
      windows_[i] = i < kInputs ? hvx::RowWindows(row, row, steps_[i][1], hvx::RowWindows::in_result)
                                : hvx::RowWindows(row, steps_[i][1], row, hvx::RowWindows::in_source);
    }
#endif
  }
};

}  // namespace opkg::rowwise

#endif  // OPKG_SEEN_BUFFERS_H_

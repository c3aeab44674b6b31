// Which lines of blocks hold elements: images of few rows or columns leave most of a block empty.
//
// A block has 16 lines of 128 bytes, two of them a row. Blocks of the last rows of an image are gone through line by line,
// where that is less work than all of them: nobody reads what lies beyond an image.
#ifndef OPKG_ROWS_LINES_H_
#define OPKG_ROWS_LINES_H_

#include "opkg/hvx_blocks.h"
#include "opkg/rows_operand.h"

namespace opkg::rowwise {

class BlockLines {
 public:
  BlockLines() = default;

  /// Of a tensor in blocks. `step`: bytes of a step, one line or the two of a row; with more of them blocks are whole.
  OPKG_SMALL explicit BlockLines(const Operand& o, size_t step = kLineBytes) : image_(o.num_blocks), whole_(o.num_blocks) {
    const uint32_t images = o.dims[0], height = o.padded[1] / kRows;
    if (o.num_blocks == 0 || step > 2 * kLineBytes) return;
    const uint32_t beyond = o.padded[1] - o.dims[1];
    const bool half = o.dims[2] * o.bytes <= kRowPixelBytes / 2;  // of each row the second line is empty
    const uint32_t steps = (kRows - beyond) * (half || step != kLineBytes ? 1 : 2);
    const uint32_t blocks = height == 1 ? o.num_blocks : o.num_blocks / (images * height);  // in one run
    const uint32_t line = step == kLineBytes ? kLine : 2 * kLine;
    const uint32_t cost = steps * (blocks * line + blocks % hvx::kTurn * kLeft + kNext) + (height == 1 ? 0 : kCall);
    if (cost >= blocks * kBlock) return;
    steps_ = steps;
    stride_ = steps == kRows - beyond ? 2 * kLineBytes : kLineBytes;
    if (height != 1) image_ = o.num_blocks / images;
    whole_ = height != 1 ? image_ - blocks : 0;
  }

  /// Whether some blocks are gone through line by line, and whether all of them are.
  bool some() const { return steps_ != 0; }
  bool all() const { return whole_ == 0; }

  uint32_t whole() const { return whole_; }  ///< blocks of an image that are computed whole

  uint32_t steps() const { return steps_; }    ///< of a block that hold elements, from its first one on
  uint32_t stride() const { return stride_; }  ///< bytes from one to the next

  /// Calls whole(block, count) and across(block, count) for the blocks first <= i < last.
  template <typename Whole, typename Across>
  void each(size_t first, size_t last, const Whole& whole, const Across& across) const {
    size_t image = first < image_ ? 0 : first / image_ * image_;
    while (first < last) {
      const size_t middle = image + whole_, end = image + image_;
      if (first < middle) {
        const size_t until = last < middle ? last : middle;
        whole(first, until - first);
        first = until;
      }
      if (first < last) {
        const size_t until = last < end ? last : end;
        if (first < until) across(first, until - first);
        first = until;
      }
      image = end;
    }
  }

 private:
  static constexpr uint32_t kRows = 8, kRowPixelBytes = 8, kLineBytes = 128;
  // Packets of an addition: of a block, of a line, of one that is left of a turn, between lines, and of one more call.
  static constexpr uint32_t kBlock = 64, kLine = 5, kLeft = 7, kNext = 14, kCall = 50;

  uint32_t image_ = 0;  ///< blocks of an image; of all images where they have one row of blocks
  uint32_t whole_ = 0;  ///< of them those that are computed whole: the first ones
  uint32_t steps_ = 0;
  uint32_t stride_ = 0;
};

}  // namespace opkg::rowwise

#endif  // OPKG_ROWS_LINES_H_

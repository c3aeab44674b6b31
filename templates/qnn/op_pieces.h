// Checks of what HTP can lay out in four dimensions and cut into tiles that fit its memory.
#ifndef OPKG_OP_PIECES_H_
#define OPKG_OP_PIECES_H_

#include "opkg/op_tensors.h"

namespace opkg {

OPKG_SMALL_BEGIN

/// What the backend makes of the tensors of a call.
class PieceCheck : public TensorCheck {
 public:
  using TensorCheck::TensorCheck;

  /// Dimensions as a set of bits, bit 0 for the last one.
  static constexpr uint32_t kEveryPlace = 0xFF;
  static constexpr uint32_t kTwice = 0x100;  // beside them: in two copies
  template <typename Axes>
  static uint32_t places(const Axes& axes, int64_t rank) {
    uint32_t found = 0;
    for (int64_t axis : axes) {
      const int64_t place = axis < 0 ? -1 - axis : rank - 1 - axis;
      if (place >= 0 && place < Shape::kMaxRank) found |= 1u << place;
    }
    return found;
  }
  bool at_most_four() const {
    for (uint32_t i = 0; i < inputs_; ++i) {
      if (input(i).rank() > 4) return false;
    }
    return output(0).rank() <= 4;
  }
  /// Whether the op can be laid out in four dimensions: neighbouring ones are joined where the same tensors have more than
  /// one element, but for those up to the last of `whole`.
  bool joins(uint32_t whole) const {
    uint32_t groups = 0;
    uint64_t before = 0;
    for (uint32_t place = 0; place < Shape::kMaxRank; ++place) {
      uint64_t wide = 0;
      for (uint32_t i = 0; i < inputs_ && i < 64; ++i) {
        const TensorInfo tensor = input(i);
        wide |= uint64_t{place < tensor.rank() && tensor.dim(-1 - int64_t{place}) > 1} << i;
      }
      const bool pinned = whole >> place != 0;
      groups += pinned || (wide != 0 && wide != before) ? 1 : 0;
      if (pinned || wide != 0) before = pinned ? 0 : wide;
    }
    return groups <= 4;
  }
  /// The same set for a tensor of signed elements of 8 bits, which the backend makes unsigned in tiles of its own: any with
  /// rows of 32 KiB, and single images of one line; else in one piece.
  static uint32_t whole_of_signed(const TensorInfo& tensor, uint32_t whole) {
    const int64_t row = tensor.dim(-1), lines = tensor.rank() > 1 ? tensor.dim(-2) : 1;
    if (row <= 32 << 10) return whole == kEveryPlace ? 0x1 : whole | 0x1;
    return whole != kEveryPlace && row * lines == tensor.size() ? whole | 0x1 : kEveryPlace;
  }
  /// The same set for a tensor of signed elements of 16 bits, which the backend makes unsigned in one piece: one of five
  /// dimensions lies beside its copy in a call that is not cut.
  static uint32_t whole_of_wide(const TensorInfo& tensor, uint32_t whole) {
    return whole == kEveryPlace && tensor.rank() > 4 ? kEveryPlace | kTwice : kEveryPlace;
  }
  /// What each tile has whole of a tensor, the dimensions `whole`, passes through the tightly coupled memory in one piece,
  /// and so must fit there; constants need not. Comes last: a graph with more fails when it is finalized.
  void expect_piece(const char* name, const TensorInfo& tensor, uint32_t whole) {
    if (failed() || !tensor || tensor.is_static()) return;
    const int64_t most = (whole & kTwice) != 0 ? 2 << 20 : 4 << 20;
    int64_t bytes = bytes_of(tensor.dtype());
    for (int64_t place = 0; place < tensor.rank(); ++place) {
      if (whole >> place & 1) bytes *= tensor.dim(-1 - place);
    }
    if (bytes <= most) return;
    fail("%lld bytes of '%s' cannot be cut into tiles, and HTP takes at most %lld in one piece",
         static_cast<long long>(bytes), name, static_cast<long long>(most));
  }
  /// Many images of signed elements: beyond a size the backend does not finalize the graph, or copies beyond their end.
  void expect_images(const char* name, const TensorInfo& tensor) {
    if (failed() || !tensor || tensor.is_static() || tensor.rank() != 4) return;
    const bool byte = bytes_of(tensor.dtype()) == 1;
    if (tensor.dim(0) <= (byte ? 128 : 1)) return;
    const int64_t bytes = bytes_of(tensor.dtype()) * tensor.size(), most = byte ? 4 << 20 : 1 << 20;
    if (bytes <= most) return;
    fail("%lld bytes of '%s' in %lld images: of signed elements HTP takes at most %lld", static_cast<long long>(bytes), name,
         static_cast<long long>(tensor.dim(0)), static_cast<long long>(most));
  }
};

OPKG_SMALL_END

}  // namespace opkg

#endif  // OPKG_OP_PIECES_H_

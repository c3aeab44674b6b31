// Ops whose tensors are too large for TCM and cannot be cut as they are: done in four dimensions that can be.
//
// The backend cuts tensors of four dimensions, and cannot join what is cut along the last one if the whole does not fit.
#ifndef OPKG_FOLD_H_
#define OPKG_FOLD_H_

#include "opkg/signed_inputs.h"
#include "opkg/small.h"
#include "opkg/tiling.h"

namespace opkg {

OPKG_SMALL_BEGIN

/// The largest number of columns that a row of `elements` can be laid out in: whole vectors if possible.
inline uint32_t columns_for(uint32_t elements) {
  for (uint32_t columns = 4096; columns >= 128; columns -= 128)
    if (elements % columns == 0) return columns;
  uint32_t columns = 4096;
  while (elements % columns != 0) --columns;
  return columns;
}

/// The dimensions over which an op runs, with those joined that all of its tensors have side by side.
class Fold {
 public:
  Fold(const QHPI_Op* op, const Tiling& tiling) : op_(op), tiling_(tiling) {
    num_inputs_ = qhpi_op_num_inputs(op);
    const uint32_t count = num_inputs_ + qhpi_op_num_outputs(op);
    possible_ = num_inputs_ <= kMostInputs && count - num_inputs_ <= kMostOutputs && count <= 64;
    for (uint32_t place = 0; place < QHPI_MAX_RANK; ++place) pinned_ = has(tiling.coupled, place) ? place + 1 : pinned_;
    for (uint32_t place = 0; possible_ && place < QHPI_MAX_RANK; ++place) add(place, count);
    if (possible_ && pinned_ == 0 && groups_ > 0 && groups_ < 4 && tiling.splits) split_row();
    possible_ = possible_ && groups_ <= 4;
  }

  /// The op in the new shapes, and back; the op itself where nothing would change.
  const QHPI_Op* op() const {
    if (!possible_) return op_;
    QHPI_OpRef inputs[kMostInputs];
    QHPI_OutputDef outputs[kMostOutputs];
    QHPI_OpRef results[kMostOutputs];
    bool changed = false;
    for (uint32_t i = 0; i < num_inputs_; ++i) {
      inputs[i] = qhpi_op_input(op_, i);
      changed = changed || is_folded(i);
    }
    if (!changed) return op_;
    for (uint32_t i = 0; i < num_inputs_; ++i) {
      if (!is_folded(i)) continue;
      QHPI_OutputDef def = tensor(i);
      def.shape = shape(i);
      inputs[i] = reshaped(op_, inputs[i], def);
      if (arriving(def).type != def.type) inputs[i] = reshaped(op_, inputs[i], arriving(def));  // one change at a time
    }
    const uint32_t num_outputs = qhpi_op_num_outputs(op_);
    for (uint32_t i = 0; i < num_outputs; ++i) {
      outputs[i] = tensor(num_inputs_ + i);
      outputs[i].shape = shape(num_inputs_ + i);
    }
    const QHPI_Op* folded = qhpi_op_create(op_, qhpi_op_name(op_), num_inputs_, inputs, num_outputs, outputs);
    for (uint32_t i = 0; i < num_outputs; ++i)
      results[i] = reshaped(op_, {folded, i}, qhpi_op_output(op_, i));
    return num_outputs == 1 ? results[0].op : qhpi_op_create_multi_output(num_outputs, results);
  }

 private:
  QHPI_OutputDef tensor(uint32_t i) const {
    return i < num_inputs_ ? definition(qhpi_op_input(op_, i)) : qhpi_op_output(op_, i - num_inputs_);
  }
  bool lacks(uint32_t i) const { return tiling_.dropped && (i >= num_inputs_ || has(tiling_.aligned, i)); }

  /// Extent of a tensor at a place of the loop; 1 where it has none.
  uint32_t extent(uint32_t i, uint32_t place) const {
    const QHPI_Shape shape = tensor(i).shape;
    if (lacks(i)) {
      if (has(tiling_.coupled, place)) return 1;
      place -= __builtin_popcount(tiling_.coupled & ((1u << place) - 1));
    }
    return place < shape.rank && shape.dims[0] != 0 ? shape.dims[shape.rank - 1 - place] : 1;
  }

  void add(uint32_t place, uint32_t count) {
    uint64_t wide = 0;
    uint32_t most = 1;
    for (uint32_t i = 0; i < count; ++i) {
      if (i < num_inputs_ && has(tiling_.uncut, i)) continue;
      const uint32_t found = extent(i, place);
      if (found > 1) wide |= uint64_t{1} << i;
      most = std::max(most, found);
    }
    if (place >= pinned_ && most == 1) return;
    if (place >= pinned_ && groups_ > pinned_ && wide == wide_[groups_ - 1]) {
      possible_ = possible_ && uint64_t{size_[groups_ - 1]} * most < 1u << 31;
      size_[groups_ - 1] *= most;
      return;
    }
    wide_[groups_] = wide;
    size_[groups_++] = most;
  }

  void split_row() {
    const uint32_t columns = columns_for(size_[0]);
    if (columns == size_[0]) return;
    for (uint32_t i = groups_++; i > 0; --i) {
      wide_[i] = wide_[i - 1];
      size_[i] = size_[i - 1];
    }
    size_[1] /= columns;
    size_[0] = columns;
  }

  /// The new shape of a tensor.
  QHPI_Shape shape(uint32_t i) const {
    QHPI_Shape shape = {4, {1, 1, 1, 1}};
    uint32_t place = 0;
    for (uint32_t group = 0; group < groups_; ++group) {
      if (lacks(i) && group < pinned_ && has(tiling_.coupled, group)) continue;
      shape.dims[3 - place++] = has(wide_[group], i) ? size_[group] : 1;
    }
    return shape;
  }

  bool is_folded(uint32_t i) const {
    if (has(tiling_.uncut, i)) return false;
    const QHPI_Shape before = tensor(i).shape, after = shape(i);
    bool same = before.rank == 4;
    for (uint32_t d = 0; same && d < 4; ++d) same = before.dims[d] == after.dims[d];
    return !same && before.dims[0] != 0;
  }

  const QHPI_Op* op_;
  const Tiling& tiling_;
  uint32_t num_inputs_ = 0;
  uint32_t pinned_ = 0;                // places below this one stay what they are: one of them is coupled
  uint32_t groups_ = 0;                // from the last dimension on
  uint64_t wide_[QHPI_MAX_RANK] = {};  // the tensors that have more than one element there
  uint32_t size_[QHPI_MAX_RANK] = {};
  bool possible_ = true;
};

/// Images in a batch beyond which they are joined: each is a tile of its own.
constexpr uint32_t kMostImages = 32;

/// For `early_rewrite`: an op on tensors too large for TCM that have five dimensions, many images, or a last dimension that
/// alone is too long for a tile, in other dimensions; any other op on unsigned inputs.
inline const QHPI_Op* fold(const QHPI_Op* op, const Tiling& tiling) {
  const QHPI_Shape output = qhpi_op_output(op, 0).shape;
  if (tiling.coupled == kEveryPlace || tile_bytes(op, tiling, output) <= tcm_bytes(op)) return unsigned_inputs(op);
  bool five = output.rank > 4, converted = false;
  for (uint32_t i = 0; i < qhpi_op_num_inputs(op); ++i) {
    const QHPI_OutputDef input = definition(qhpi_op_input(op, i));
    five = five || input.shape.rank > 4;
    converted = converted || arriving(input).type != input.type;
  }
  QHPI_Shape row = output;
  for (uint32_t i = 0; i + 1 < row.rank; ++i) row.dims[i] = 1;
  const bool long_row = tiling.coupled == 0 && tile_bytes(op, tiling, row) > tile_budget(op);
  const bool many = output.rank == 4 && output.dims[0] > kMostImages;
  return five || many || (long_row && !converted) ? Fold(op, tiling).op() : op;
}

OPKG_SMALL_END

}  // namespace opkg

#endif  // OPKG_FOLD_H_

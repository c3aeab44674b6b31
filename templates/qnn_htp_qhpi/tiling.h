// Tiles: pieces of an op's first output, small enough for TCM, and what they need of its other tensors.
//
// Dimensions are numbered by place here: 0 is the last one, 1 the one before, whatever the rank.
#ifndef OPKG_TILING_H_
#define OPKG_TILING_H_

#include <algorithm>
#include <cstdint>

#include "opkg/qhpi_abi.h"
#include "opkg/small.h"

namespace opkg {

OPKG_SMALL_BEGIN

constexpr uint32_t kMostInputs = 64;
constexpr uint32_t kMostOutputs = 16;
constexpr uint32_t kEveryPlace = 0xff;

/// How the tensors of an op hang together, and how it may be tiled. Sets are bits.
struct Tiling {
  uint32_t coupled = 0;                  // places that every tile has whole
  bool dropped = false;                  // the outputs lack the coupled places of the inputs
  uint64_t aligned = 0;                  // if so: the inputs that lack them, too
  uint64_t uncut = 0;                    // inputs that belong to no element, such as lists of axes
  bool splits = true;                    // kernels take the elements of a dimension as two dimensions as well
  uint32_t multiples[4] = {0, 0, 0, 0};  // extents of a tile as the spec gives them; 0: chosen here
  uint32_t blocks[4] = {1, 1, 1, 128};   // an extent that is chosen here is a multiple of this
};

constexpr Tiling nothing_to_cut() {
  Tiling tiling;
  tiling.coupled = kEveryPlace;
  return tiling;
}

/// The type and quantization with which a tensor of a graph arrives at a kernel: unsigned.
inline QHPI_OutputDef arriving(QHPI_OutputDef tensor) {
  if (tensor.type != QHPI_QINT8 && tensor.type != QHPI_QINT16) return tensor;
  tensor.quant_parameters.zero_offset += tensor.type == QHPI_QINT8 ? 128 : 32768;
  tensor.type = tensor.type == QHPI_QINT8 ? QHPI_QUINT8 : QHPI_QUINT16;
  return tensor;
}

inline bool has(uint64_t set, uint32_t bit) { return (set >> bit & 1) != 0; }

/// The place of the first output that a place of another tensor follows; -1 where tiles have the tensor whole. `lacks`:
/// the tensor lacks the coupled places, as the output does.
inline int followed(const Tiling& tiling, bool lacks, uint32_t place) {
  if (lacks) return static_cast<int>(place);
  if (has(tiling.coupled, place)) return -1;
  if (!tiling.dropped) return static_cast<int>(place);
  return static_cast<int>(place) - __builtin_popcount(tiling.coupled & ((1u << place) - 1));
}

/// A part of a tensor.
struct Piece {
  QHPI_Shape start;
  QHPI_Shape extent;
  bool whole;
};

/// What the tile [start, start + extent) of an output of shape `output` needs of a tensor. Dimensions that differ from
/// the output's are broadcast or the tensor's own, and stay whole.
inline Piece piece_of(const QHPI_Shape& shape, const Tiling& tiling, bool lacks, const QHPI_Shape& output,
                      const QHPI_Shape& start, const QHPI_Shape& extent) {
  Piece piece = {{shape.rank, {}}, shape, true};
  for (uint32_t place = 0; place < shape.rank; ++place) {
    const int to = followed(tiling, lacks, place);
    if (to < 0 || to >= static_cast<int>(output.rank)) continue;
    const uint32_t i = shape.rank - 1 - place, j = output.rank - 1 - to;
    if (shape.dims[i] != output.dims[j]) continue;
    piece.start.dims[i] = start.dims[j];
    piece.extent.dims[i] = extent.dims[j];
    piece.whole = piece.whole && extent.dims[j] == output.dims[j];
  }
  return piece;
}

inline QHPI_OutputDef definition(QHPI_OpRef x) { return qhpi_op_output(x.op, x.output_number); }

inline uint64_t bytes_of(const QHPI_Shape& shape, uint32_t type) {
  uint64_t bytes = qhpi_element_type_size(type);
  for (uint32_t i = 0; i < shape.rank; ++i) bytes *= shape.dims[i];
  return bytes;
}

/// Bytes of all tensors of a tile.
inline uint64_t tile_bytes(const QHPI_Op* op, const Tiling& tiling, const QHPI_Shape& extent) {
  const QHPI_Shape output = qhpi_op_output(op, 0).shape;
  const QHPI_Shape origin = {output.rank, {}};
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < qhpi_op_num_inputs(op); ++i) {
    const QHPI_OutputDef input = definition(qhpi_op_input(op, i));
    const bool lacks = has(tiling.aligned, i);
    bytes += bytes_of(piece_of(input.shape, tiling, lacks, output, origin, extent).extent, input.type);
  }
  for (uint32_t i = 0; i < qhpi_op_num_outputs(op); ++i) {
    const QHPI_OutputDef other = qhpi_op_output(op, i);
    bytes += bytes_of(piece_of(other.shape, tiling, true, output, origin, extent).extent, other.type);
  }
  return bytes;
}

/// Bytes of TCM that the backend tiles for.
inline uint64_t tcm_bytes(const QHPI_Op* op) {
  int32_t bytes = 0;
  const bool known = qhpi_option_int(op, "tcm_size_for_tiling", &bytes) == QHPI_SUCCESS && bytes > 0;
  return known ? static_cast<uint64_t>(bytes) : 4u << 20;
}

/// Bytes of all tensors of one tile at most: four threads, each with a tile at work and one on its way.
inline uint64_t tile_budget(const QHPI_Op* op) { return tcm_bytes(op) / 8; }

/// The places of the first output that no tile cuts.
inline uint32_t whole_places(const QHPI_Op* op, const Tiling& tiling) {
  const QHPI_Shape output = qhpi_op_output(op, 0).shape;
  uint32_t whole = tiling.dropped ? 0 : tiling.coupled;
  for (uint32_t i = 1; i < qhpi_op_num_outputs(op); ++i) {
    const QHPI_Shape other = qhpi_op_output(op, i).shape;
    for (uint32_t d = 0; d < output.rank; ++d)
      if (other.rank != output.rank || other.dims[d] != output.dims[d]) whole |= 1u << (output.rank - 1 - d);
  }
  return whole;
}

/// Extents are written for outputs that have the coupled places; those of a call whose outputs lack them follow their places.
inline void drop_multiples(Tiling* tiling) {
  uint32_t kept = 0;
  const Tiling before = *tiling;
  for (uint32_t place = 0; place < 4; ++place)
    if (!has(before.coupled, place)) tiling->multiples[3 - kept++] = before.multiples[3 - place];
  while (kept < 4) tiling->multiples[3 - kept++] = 0;
}

inline uint32_t round_up(uint32_t value, uint32_t multiple) { return (value + multiple - 1) / multiple * multiple; }

/// Of an op with several outputs the backend takes shapes wrongly where a shorter tile is cut once more: all but the last
/// of the dimensions that are cut have tiles of one size.
inline void make_even(const QHPI_Shape& whole, const Tiling& tiling, QHPI_Shape* tile) {
  uint32_t last = 0;
  for (uint32_t i = 0; i < 4; ++i) last = tile->dims[i] < whole.dims[i] ? i : last;
  for (uint32_t i = 0; i < last; ++i) {
    uint32_t& extent = tile->dims[i];
    while (extent > 0 && (whole.dims[i] % extent != 0 || extent % tiling.blocks[i] != 0)) --extent;
    if (extent == 0) extent = whole.dims[i];
  }
}

/// The backend takes whole images of an input one by one only, unless all of them together fit TCM.
inline void take_images(const QHPI_Op* op, const Tiling& tiling, QHPI_Shape* tile) {
  const QHPI_Shape output = qhpi_op_output(op, 0).shape, origin = {output.rank, {}};
  for (uint32_t i = 0; i < qhpi_op_num_inputs(op); ++i) {
    const QHPI_OutputDef input = definition(qhpi_op_input(op, i));
    const bool lacks = has(tiling.aligned, i);
    const int to = followed(tiling, lacks, 3);
    if (to < 0 || to > 3 || bytes_of(input.shape, input.type) <= tcm_bytes(op)) continue;
    const QHPI_Shape piece = piece_of(input.shape, tiling, lacks, output, origin, *tile).extent;
    const bool images = std::equal(piece.dims + 1, piece.dims + 4, input.shape.dims + 1);
    if (images && piece.dims[0] < input.shape.dims[0]) tile->dims[3 - to] = 1;
  }
}

constexpr uint64_t kMostPadded = 4;  // times of its bytes that a tensor may take in blocks

/// Whether blocks would hold mostly padding of a tensor's height and width, so that it is flat.
inline bool is_flat(const QHPI_Shape& shape, const Tiling& tiling) {
  uint64_t padded = 1, all = 1;
  for (uint32_t i = 1; i < 3; ++i) {
    padded *= round_up(shape.dims[i], tiling.blocks[i]);
    all *= shape.dims[i];
  }
  return padded > kMostPadded * all;
}

/// For `shape_required`: the extent of a tile where a dimension is cut. What fits as a whole is not.
inline QHPI_Shape required_tile(const QHPI_Op* op, const Tiling& tiling) {
  const QHPI_Shape output = qhpi_op_output(op, 0).shape;
  QHPI_Shape required = output;
  for (uint32_t i = 0; i < output.rank; ++i) required.dims[i] = QHPI_DO_NOT_TILE;
  bool four = output.rank == 4;
  for (uint32_t i = 0; i < qhpi_op_num_inputs(op); ++i) four = four && definition(qhpi_op_input(op, i)).shape.rank == 4;
  if (!four) return required;  // the backend cuts tensors of four dimensions only

  const uint32_t whole = whole_places(op, tiling);
  const auto kept = [&](uint32_t i) { return has(whole, 3 - i) || tiling.multiples[i] == QHPI_DO_NOT_TILE; };
  const bool flat = is_flat(output, tiling);
  QHPI_Shape tile = output;
  const auto least = [&](uint32_t i) {
    const bool rows = tiling.dropped && tile.dims[i] <= tiling.blocks[i];  // an element stands for a row of the inputs
    return rows || (flat && i < 3) ? 1 : tiling.blocks[i];
  };
  for (uint32_t i = 0; i < 4; ++i)
    if (!kept(i) && tiling.multiples[i] != 0) tile.dims[i] = std::min(output.dims[i], tiling.multiples[i]);
  for (uint32_t i = 0; i < 4; ++i) {
    if (kept(i) || tiling.multiples[i] != 0) continue;
    while (tile.dims[i] > least(i) && tile_bytes(op, tiling, tile) > tile_budget(op))
      tile.dims[i] = i == 0 ? 1 : round_up((tile.dims[i] + 1) / 2, least(i));
  }
  if (qhpi_op_num_outputs(op) > 1) make_even(output, tiling, &tile);
  const bool images = std::equal(tile.dims + 1, tile.dims + 4, output.dims + 1);
  if (images && tile.dims[0] < output.dims[0]) tile.dims[0] = 1;
  take_images(op, tiling, &tile);
  for (uint32_t i = 0; i < 4; ++i)
    if (tile.dims[i] < output.dims[i]) required.dims[i] = tile.dims[i];
  return required;
}

/// For `build_tile`: the op again, for one tile of its first output.
inline const QHPI_Op* build_tile(const QHPI_Op* op, const Tiling& tiling, const QHPI_Shape& start,
                                 const QHPI_Shape& extent) {
  QHPI_OpRef inputs[kMostInputs];
  QHPI_OutputDef outputs[kMostOutputs];
  const uint32_t num_inputs = qhpi_op_num_inputs(op), num_outputs = qhpi_op_num_outputs(op);
  if (num_inputs > kMostInputs || num_outputs > kMostOutputs)
    return qhpi_op_create_error(op, "more tensors than a tile can have");
  const QHPI_Shape output = qhpi_op_output(op, 0).shape;
  for (uint32_t i = 0; i < num_inputs; ++i) {
    inputs[i] = qhpi_op_input(op, i);
    const bool lacks = has(tiling.aligned, i);
    const Piece piece = piece_of(definition(inputs[i]).shape, tiling, lacks, output, start, extent);
    if (!piece.whole && !has(tiling.uncut, i)) inputs[i] = qhpi_op_slice(inputs[i], &piece.start, &piece.extent);
  }
  for (uint32_t i = 0; i < num_outputs; ++i) {
    outputs[i] = qhpi_op_output(op, i);
    outputs[i].shape = piece_of(outputs[i].shape, tiling, true, output, start, extent).extent;
  }
  return qhpi_op_create(op, qhpi_op_name(op), num_inputs, inputs, num_outputs, outputs);
}

OPKG_SMALL_END

}  // namespace opkg

#endif  // OPKG_TILING_H_

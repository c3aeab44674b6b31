// Tiling as measured on the backend: height first, then depth, then width until a tile holds at most 128
// KiB; each step asks build_tile for trial tiles, then for the real ones, and joins them.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "progress.h"
#include "qhpi_prepare.h"

namespace opkg {
namespace {

constexpr uint64_t kTileBytes = 131072;
constexpr uint32_t kDefaultGranule[4] = {1, 8, 2, 32};

bool wantsTiles(const QHPI_Op& op) {
  return op.kind == OpKind::kPackage && op.registered->info->shape_required != nullptr &&
         op.registered->info->build_tile != nullptr;
}

class Tiler {
 public:
  Tiler(QhpiGraph* graph, CaseResult* result) : graph_(*graph), result_(*result) {}

  Outcome split(QHPI_Op* op) {
    tile_output_ = op->registered->info->tile_output;
    if (tile_output_ >= op->outputs.size()) tile_output_ = 0;
    const QHPI_OutputDef whole = op->outputs[tile_output_];
    if (whole.shape.rank != 4) return Outcome();
    progress().at("finalize", op->node.c_str());
    QHPI_Shape required = op->registered->info->shape_required(op);
    addTrace(&result_, "shape_required " + op->node + " " + shapeText(required));
    if (required.rank != 4) return Outcome();
    QHPI_Shape granule = granuleOf(required, whole.shape);
    if (op->registered->info->shape_legalized != nullptr) {
      const QHPI_Shape proposal = granule;
      granule = op->registered->info->shape_legalized(op, &proposal);
      addTrace(&result_,
               "shape_legalized " + op->node + " " + shapeText(proposal) + " -> " + shapeText(granule));
      if (granule.rank != 4) granule = proposal;
      for (uint32_t d = 0; d < 4; ++d)
        granule.dims[d] = std::max(1u, std::min(granule.dims[d], whole.shape.dims[d]));
    }
    QHPI_Shape full_depth = granule;
    full_depth.dims[3] = whole.shape.dims[3];
    if (granule.dims[3] < full_depth.dims[3] && !tryTile(op, full_depth)) return outcome_;
    if (!tryTile(op, granule)) return outcome_;

    const QHPI_Shape step = stepsOf(required, granule, whole);
    std::vector<QHPI_Op*> pieces = {op};
    for (uint32_t axis = 0; axis < 4 && outcome_.ok(); ++axis)
      pieces = splitAll(pieces, axis, step.dims[axis]);
    return outcome_;
  }

 private:
  static QHPI_Shape granuleOf(const QHPI_Shape& required, const QHPI_Shape& whole) {
    QHPI_Shape granule = required;
    for (uint32_t d = 0; d < 4; ++d) {
      if (required.dims[d] == 0) granule.dims[d] = kDefaultGranule[d];
      granule.dims[d] = std::min(granule.dims[d], whole.dims[d]);  // DO_NOT_TILE is larger than anything
    }
    return granule;
  }

  // The tile's extent: what was required; of a free dimension one image of the batch, the whole depth, and as
  // many rows, then columns, as fit into kTileBytes.
  static QHPI_Shape stepsOf(const QHPI_Shape& required, const QHPI_Shape& granule,
                            const QHPI_OutputDef& whole) {
    QHPI_Shape step = whole.shape;
    for (uint32_t d = 0; d < 4; ++d) {
      if (required.dims[d] != 0 && required.dims[d] != QHPI_DO_NOT_TILE) step.dims[d] = granule.dims[d];
    }
    if (required.dims[0] == 0) step.dims[0] = 1;
    const uint64_t element = elementSize(whole.type);
    for (const uint32_t axis : {1u, 2u}) {
      const uint64_t bytes = shapeElements(step) * element;
      if (required.dims[axis] == 0 && bytes > kTileBytes) {
        step.dims[axis] = evenStep(step.dims[axis], bytes, kDefaultGranule[axis]);
      }
    }
    return step;
  }

  // Splits `extent`, which takes `bytes`, into the fewest parts that fit, of about the same size and a whole
  // number of granules.
  static uint32_t evenStep(uint32_t extent, uint64_t bytes, uint32_t granule) {
    const uint64_t one = bytes / extent;
    const uint32_t most = std::max(granule, static_cast<uint32_t>(kTileBytes / one) / granule * granule);
    const uint32_t parts = (extent + most - 1) / most;
    return ((extent + parts - 1) / parts + granule - 1) / granule * granule;
  }

  const QHPI_Op* build(QHPI_Op* op, const QHPI_Shape& start, const QHPI_Shape& extent, const char* what) {
    addTrace(&result_,
             std::string(what) + " " + op->node + " " + shapeText(start) + " + " + shapeText(extent));
    const QHPI_Op* tile = op->registered->info->build_tile(op, &start, &extent);
    if (tile == nullptr || tile->kind == OpKind::kError) {
      outcome_ = Outcome::error("finalize", 1100,
                                op->node + ": build_tile: " + (tile == nullptr ? "null" : tile->error));
      return nullptr;
    }
    const QHPI_Shape got = qhpi_op_output(tile, tile_output_).shape;
    if (shapeText(got) != shapeText(extent)) {
      outcome_ = Outcome::error(
          "finalize", kPrepareFailed,
          op->node + ": build_tile was asked for " + shapeText(extent) + " and made " + shapeText(got));
      return nullptr;
    }
    const_cast<QHPI_Op*>(tile)->tiled = true;
    return tile;
  }

  bool tryTile(QHPI_Op* op, const QHPI_Shape& extent) {
    const QHPI_Shape zero = {4, {0, 0, 0, 0, 0, 0, 0, 0}};
    return build(op, zero, extent, "build_tile(trial)") != nullptr;
  }

  std::vector<QHPI_Op*> splitAll(const std::vector<QHPI_Op*>& ops, uint32_t axis, uint32_t step) {
    std::vector<QHPI_Op*> pieces;
    for (QHPI_Op* op : ops) {
      const QHPI_Shape whole = op->outputs[std::min<size_t>(tile_output_, op->outputs.size() - 1)].shape;
      if (whole.dims[axis] <= step || !wantsTiles(*op)) {
        pieces.push_back(op);
        continue;
      }
      QHPI_Shape extent = whole;
      extent.dims[axis] = step;
      if (pieces.empty() && !tryTile(op, extent)) return pieces;
      splitOne(op, whole, axis, step, &pieces);
      if (!outcome_.ok()) return pieces;
    }
    return pieces;
  }

  void splitOne(QHPI_Op* op, const QHPI_Shape& whole, uint32_t axis, uint32_t step,
                std::vector<QHPI_Op*>* pieces) {
    const std::vector<QHPI_Op*> users = graph_.live();
    std::vector<std::vector<QHPI_OpRef>> parts(op->outputs.size());
    for (uint32_t at = 0; at < whole.dims[axis]; at += step) {
      QHPI_Shape start = {4, {0, 0, 0, 0, 0, 0, 0, 0}}, extent = whole;
      start.dims[axis] = at;
      extent.dims[axis] = std::min(step, whole.dims[axis] - at);
      const QHPI_Op* tile = build(op, start, extent, "build_tile");
      if (tile == nullptr) return;
      for (uint32_t i = 0; i < parts.size(); ++i) parts[i].push_back(QhpiGraph::resolve({tile, i}));
      if (tile->kind == OpKind::kPackage) pieces->push_back(const_cast<QHPI_Op*>(tile));
    }
    std::vector<QHPI_OpRef> joined;
    for (const std::vector<QHPI_OpRef>& part : parts) {
      joined.push_back(qhpi_op_concat(axis, static_cast<uint32_t>(part.size()), part.data()));
    }
    const QHPI_Op* replacement =
        joined.size() == 1 ? joined[0].op
                           : qhpi_op_create_multi_output(static_cast<uint32_t>(joined.size()), joined.data());
    graph_.replace(op, replacement, users);
  }

  QhpiGraph& graph_;
  CaseResult& result_;
  uint32_t tile_output_ = 0;
  Outcome outcome_;
};

}  // namespace

Outcome tileGraph(QhpiGraph* graph, CaseResult* result) {
  for (QHPI_Op* op : graph->live()) {
    if (!wantsTiles(*op) || op->tiled) continue;
    const Outcome outcome = Tiler(graph, result).split(op);
    if (!outcome.ok()) return outcome;
  }
  return Outcome();
}

}  // namespace opkg

// Tiling as measured on the backend: height first, then depth, then width until a tile holds at most 128 KiB;
// each step asks build_tile for trial tiles, then for the real ones, and joins them. SPDX-License-Identifier:
// Apache-2.0
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

uint64_t bytesOf(const QHPI_OutputDef& def) { return shapeElements(def.shape) * elementSize(def.type); }

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

    std::vector<QHPI_Op*> pieces = {op};
    for (const uint32_t axis : {0u, 1u, 3u}) {
      const bool free_and_small = required.dims[axis] == 0 && bytesOf(whole) <= kTileBytes;
      if (required.dims[axis] == 0 && axis != 1) continue;
      if (free_and_small || required.dims[axis] == QHPI_DO_NOT_TILE) continue;
      pieces = splitAll(pieces, axis, granule.dims[axis]);
      if (!outcome_.ok()) return outcome_;
    }
    if (required.dims[2] != QHPI_DO_NOT_TILE) splitWidth(pieces, std::max(1u, required.dims[2]));
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

  void splitWidth(std::vector<QHPI_Op*> pieces, uint32_t multiple) {
    if (pieces.empty() || !outcome_.ok() || pieces[0]->outputs.size() <= tile_output_) return;
    const QHPI_OutputDef tile = pieces[0]->outputs[tile_output_];
    uint32_t width = tile.shape.dims[2];
    const uint64_t row = width == 0 ? 0 : bytesOf(tile) / width;
    while (row * width > kTileBytes && width > multiple)
      width = (width / 2 + multiple - 1) / multiple * multiple;
    if (width < tile.shape.dims[2]) splitAll(pieces, 2, width);
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

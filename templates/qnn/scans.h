// Runs generated kernels that find running sums, or products, along a dimension. C++17.
#ifndef OPKG_SCANS_H_
#define OPKG_SCANS_H_

#include "opkg/axis_extents.h"
#include "opkg/hvx_scans.h"
#include "opkg/reduce.h"

namespace opkg {
namespace scans {

/// Whether a struct of rows has vector code of this kind.
template <typename Rows, typename = void>
struct HasScans : std::false_type {};
template <typename Rows>
struct HasScans<Rows, std::void_t<typename Rows::Scan>> : std::true_type {};

#if OPKG_HVX

/// Whether the elements along the dimension become one.
template <typename Scan, typename = void>
constexpr bool kReduces = false;
template <typename Scan>
constexpr bool kReduces<Scan, std::void_t<decltype(Scan::kReduces)>> = true;

/// What calls on tensors of the same shapes share. `operands`: the input and the output.
template <typename Rows>
struct Shared {
  using Scan = typename Rows::Scan;

  AxisExtents extents;
  Scan scan;
  bool taken;  ///< whether vectors can take them
  size_t blocks, units;

  Shared(const Rows& rows, const Operand* operands, uint32_t axes) : extents(operands[0], axes), scan(rows.scan, extents.count) {
    taken = !operands[0].crouton() && !operands[1].crouton() && extents.in_order && extents.around * extents.count * extents.inside != 0 && scan.taken();
    blocks = (extents.inside + Scan::kLanes - 1) / Scan::kLanes;
    units = extents.around * blocks;
  }
};

/// Units from one to another (exclusive): rows of which a vector has several.
template <typename Rows>
__attribute__((noinline)) void run_short(const Shared<Rows>& shared, const uint8_t* in, uint8_t* out, size_t unit, size_t last) {
  const size_t count = shared.extents.count, row = count * Rows::Scan::kSize;
  rowwise::counted(true, (last - unit) * count);
  hvx::short_rows(shared.scan, in + unit * row, out + unit * row, last - unit, count, (shared.units - unit) * row);
}

/// The same of longer ones.
template <typename Rows>
__attribute__((noinline)) void run_rows(const Shared<Rows>& shared, const uint8_t* in, uint8_t* out, size_t unit, size_t last) {
  const size_t count = shared.extents.count, row = count * Rows::Scan::kSize;
  if constexpr (kReduces<typename Rows::Scan>) {
    rowwise::counted(true, (last - unit) * count);
    shared.scan.rows(in + unit * row, out + unit * Rows::Scan::kSize, last - unit, count);
  } else {
    for (; unit < last; ++unit) {
      rowwise::counted(true, count);
      shared.scan.row(in + unit * row, out + unit * row, count);
    }
  }
}

/// The same of vectors of columns.
template <typename Rows>
__attribute__((noinline)) void run_columns(const Shared<Rows>& shared, const uint8_t* in, uint8_t* out, size_t unit, size_t last) {
  using Scan = typename Rows::Scan;
  const AxisExtents& extents = shared.extents;
  const size_t stride = extents.inside * Scan::kSize;
  for (; unit < last; ++unit) {
    const size_t panel = unit / shared.blocks, across = unit % shared.blocks * hvx::kBytes;
    const size_t at = panel * extents.count * stride + across, to = kReduces<Scan> ? panel * stride + across : at;
    const size_t live = std::min(stride - across, hvx::kBytes);
    rowwise::counted(true, live / Scan::kSize * extents.count);
    if (live == hvx::kBytes) {
      shared.scan.template columns<true>(in + at, out + to, stride, extents.count, live);
    } else {
      shared.scan.template columns<false>(in + at, out + to, stride, extents.count, live);
    }
  }
}

/// Whether vector code computed the sums of a slice.
template <typename Rows>
bool run(const Shared<Rows>& shared, const uint8_t* in, uint8_t* out, Slice slice) {
  if (!shared.taken) return false;
  const size_t first = slice.begin(shared.units), last = slice.end(shared.units);
  if (first == last) return true;
  if constexpr (!kReduces<typename Rows::Scan>) {
    if (shared.extents.inside == 1 && shared.scan.rows_at_once() != 0) {
      run_short(shared, in, out, first, last);
      return true;
    }
  }
  if (shared.extents.inside == 1) {
    run_rows(shared, in, out, first, last);
  } else {
    run_columns(shared, in, out, first, last);
  }
  return true;
}

#endif  // OPKG_HVX

}  // namespace scans

/// As opkg::reduce, running sums being found in vectors where the numbers of the call allow it.
template <typename Rows>
Status reduce_scans(const Rows& rows, bool vectors, uint32_t axes, uint32_t dropped, std::initializer_list<Operand> inputs,
                    std::initializer_list<Operand> outputs, Slice slice = Slice{}) {
  static_assert(Rows::kInputs == 1 && Rows::kOutputs == 1, "sums in one tensor");
  if (inputs.size() != 1 || outputs.size() != 1) return Status::error;
#if OPKG_HVX
  if constexpr (scans::HasScans<Rows>::value) {
    const Operand operands[] = {*inputs.begin(), *outputs.begin()};
    const scans::Shared<Rows> shared(rows, operands, axes);
    if (vectors && scans::run(shared, operands[0].data, operands[1].data, slice)) return Status::ok;
  }
#endif
  return reduce(rows, vectors, axes, dropped, inputs, outputs, slice);
}

}  // namespace opkg

#endif  // OPKG_SCANS_H_

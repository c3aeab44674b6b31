// Runs generated kernels that find the places of the largest or the smallest elements along a dimension. C++17.
#ifndef OPKG_PLACES_H_
#define OPKG_PLACES_H_

#include "opkg/axis_extents.h"
#include "opkg/hvx_row_places.h"
#include "opkg/reduce.h"

namespace opkg {
namespace places {

/// Whether a struct of rows has vector code of this kind.
template <typename Rows, typename = void>
struct HasPlaces : std::false_type {};
template <typename Rows>
struct HasPlaces<Rows, std::void_t<typename Rows::PlacesOrder>> : std::true_type {};

#if OPKG_HVX

/// What calls on tensors of the same shapes share. `operands`: the input and the output.
template <typename Rows>
struct Shared {
  using Order = typename Rows::PlacesOrder;

  AxisExtents extents;
  bool taken;  ///< whether vectors can take them
  size_t blocks, units;
  hvx::RowPlaces<Order> rows;
  hvx::ColumnPlaces<Order> columns;

  Shared(const Operand* operands, uint32_t axes) : extents(operands[0], axes), rows(extents.count), columns(extents.inside, extents.count) {
    const size_t size = extents.around * extents.count * extents.inside;
    taken = !operands[0].crouton() && !operands[1].crouton() && extents.in_order && size != 0 && extents.count <= INT32_MAX;
    blocks = (extents.inside + Order::kLanes - 1) / Order::kLanes;
    units = in_rows() ? (extents.around + rows.group() - 1) / rows.group() : extents.around * blocks;
  }

  bool in_rows() const { return extents.inside == 1 && extents.count != 1; }
};

/// Units from one to another (exclusive): groups of rows.
template <typename Rows>
__attribute__((noinline)) void run_rows(const Shared<Rows>& shared, const uint8_t* in, int32_t* out, size_t unit, size_t last) {
  const size_t group = shared.rows.group(), row = shared.extents.count * Rows::PlacesOrder::kSize;
  const uint8_t* const end = in + shared.extents.around * row;
  for (; unit < last; ++unit) {
    const size_t first = unit * group, rows = std::min(shared.extents.around - first, group);
    rowwise::counted(true, rows * shared.extents.count);
    shared.rows.run(in + first * row, end, rows, out + first);
  }
}

/// The same of vectors of columns.
template <typename Rows>
__attribute__((noinline)) void run_columns(const Shared<Rows>& shared, const uint8_t* in, int32_t* out, size_t unit, size_t last) {
  using Order = typename Rows::PlacesOrder;
  const AxisExtents& extents = shared.extents;
  const size_t place = unit / shared.blocks, panel = extents.count * extents.inside * Order::kSize;
  const uint8_t* const end = in + extents.around * panel;
  in += place * panel, out += place * extents.inside;
  size_t first = unit % shared.blocks * Order::kLanes;
  for (; unit < last; ++unit) {
    const size_t live = std::min(extents.inside - first, Order::kLanes);
    rowwise::counted(true, live * extents.count);
    shared.columns.run(in + first * Order::kSize, end, live, out + first);
    first += Order::kLanes;
    if (first < extents.inside) continue;
    first = 0, in += panel, out += extents.inside;
  }
}

/// Whether vector code computed the places of a slice.
template <typename Rows>
bool run(const Shared<Rows>& shared, const uint8_t* in, uint8_t* out, Slice slice) {
  if (!shared.taken) return false;
  const size_t first = slice.begin(shared.units), last = slice.end(shared.units);
  auto* const places = reinterpret_cast<int32_t*>(out);
  if (shared.in_rows()) {
    run_rows(shared, in, places, first, last);
  } else {
    run_columns(shared, in, places, first, last);
  }
  return true;
}

#endif  // OPKG_HVX

}  // namespace places

/// As opkg::reduce, places being found in vectors where the output has them in 32 bits.
template <typename Rows>
Status reduce_places(const Rows& rows, bool vectors, uint32_t axes, uint32_t dropped, std::initializer_list<Operand> inputs,
                     std::initializer_list<Operand> outputs, Slice slice = Slice{}) {
  static_assert(Rows::kInputs == 1 && Rows::kOutputs == 1, "places in one tensor");
  if (inputs.size() != 1 || outputs.size() != 1) return Status::error;
#if OPKG_HVX
  if constexpr (places::HasPlaces<Rows>::value) {
    const Operand operands[] = {*inputs.begin(), *outputs.begin()};
    const places::Shared<Rows> shared(operands, axes);
    if (vectors && places::run(shared, operands[0].data, operands[1].data, slice)) return Status::ok;
  }
#endif
  return reduce(rows, vectors, axes, dropped, inputs, outputs, slice);
}

}  // namespace opkg

#endif  // OPKG_PLACES_H_

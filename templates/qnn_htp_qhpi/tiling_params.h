// Params that say in each call what is reduced, read from the constants of the graph.
#ifndef OPKG_TILING_PARAMS_H_
#define OPKG_TILING_PARAMS_H_

#include "opkg/fold.h"
#include "opkg/small.h"

namespace opkg {

OPKG_SMALL_BEGIN

/// The first of some kernel records for the element types that an op's inputs have; -1 if there is none.
inline int record_of(const QHPI_Op* op, const QHPI_Kernel_v1* kernels, uint32_t count) {
  for (uint32_t record = 0; record < count; ++record) {
    bool fits = kernels[record].min_inputs == qhpi_op_num_inputs(op);
    for (uint32_t i = 0; fits && i < kernels[record].min_inputs; ++i) {
      const uint32_t wanted = kernels[record].input_signature[i].element_type;
      fits = wanted == QHPI_ELEMENT_TYPE_ANY || wanted == arriving(definition(qhpi_op_input(op, i))).type;
    }
    if (fits) return static_cast<int>(record);
  }
  return -1;
}

/// The bytes of a constant input; null if it is none.
inline const void* constant_of(const QHPI_Op* op, int input) {
  const QHPI_Op* producer = qhpi_op_input(op, static_cast<uint32_t>(input)).op;
  return qhpi_op_is_constant(producer) != 0 ? qhpi_op_constant_data(producer) : nullptr;
}

/// The places that the numbers of an input mean, which count dimensions of a tensor of rank `rank` from the first or, if
/// negative, from behind the last. Every place where that cannot be told.
inline uint32_t places_in(const QHPI_Op* op, int input, int32_t rank) {
  const void* data = constant_of(op, input);
  if (data == nullptr) return kEveryPlace;
  const QHPI_Shape shape = definition(qhpi_op_input(op, static_cast<uint32_t>(input))).shape;
  uint32_t places = 0;
  for (uint64_t i = 0; i < bytes_of(shape, QHPI_INT32) / 4; ++i) {
    const int32_t axis = static_cast<const int32_t*>(data)[i];
    const int32_t place = axis < 0 ? -1 - axis : rank - 1 - axis;
    if (place < 0 || place >= rank) return kEveryPlace;
    places |= 1u << place;
  }
  return places;
}

/// A bool scalar: its first byte counts, whatever its type.
inline bool flag_in(const QHPI_Op* op, int input) {
  const void* data = constant_of(op, input);
  return data != nullptr && *static_cast<const uint8_t*>(data) != 0;
}

OPKG_SMALL_END

}  // namespace opkg

#endif  // OPKG_TILING_PARAMS_H_

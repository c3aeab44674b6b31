// Results of which rows in slots (opkg/hvx_slots.h) have one each. C++17.
#ifndef OPKG_HVX_SLOT_RESULTS_H_
#define OPKG_HVX_SLOT_RESULTS_H_

#include "opkg/hvx_column_line.h"
#include "opkg/hvx_numbers.h"
#include "opkg/hvx_slots.h"

#if OPKG_HVX

namespace opkg::hvx {

/// Stores numbers of rows as elements, rounded and saturated, one after another.
template <typename T>
OPKG_APART void put_results(const Slots& slots, const Numbers& numbers, void* to) {
  const HVX_Vector words[] = {numbers.whole(Q6_V_vzero())};
  write(static_cast<T*>(to), words, slots.rows());
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_SLOT_RESULTS_H_

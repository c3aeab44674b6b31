// Memory between pages that cannot be touched, and what becomes of a touch.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_SIM_HEXAGON_REGION_H_
#define OPKG_SIM_HEXAGON_REGION_H_

#include <stddef.h>
#include <stdint.h>

namespace opkg {
namespace hexagon {

/// Pages that can be read and written, one page on each side that cannot.
struct Region {
  static constexpr size_t kPage = 1 << 16;  // of the emulated machine

  uint8_t* begin = nullptr;
  size_t size = 0;

  /// Makes room for that many bytes at least; false without memory. What was there before is gone.
  bool reserve(size_t bytes);

  /// Whether an address is in the region or its guards.
  bool guards(uintptr_t address) const;
};

/// From now on `handler` gets the addresses of accesses to memory that is not there; it must not return.
void on_fault(void (*handler)(uintptr_t address));

/// What code that looks at alignment (-fsanitize=alignment) reports goes to `handler`: file, line, column, what the code
/// does (0 a load, 1 a store), bytes that the address should be a multiple of.
void on_misaligned(void (*handler)(const char* file, uint32_t line, uint32_t column, uint32_t kind, uint32_t alignment));

}  // namespace hexagon
}  // namespace opkg

#endif  // OPKG_SIM_HEXAGON_REGION_H_

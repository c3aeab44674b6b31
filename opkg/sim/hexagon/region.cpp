// Guarded memory and faults, by Linux system calls.
// SPDX-License-Identifier: Apache-2.0
#include "region.h"

#include <string.h>

#include "system.h"

namespace opkg {
namespace hexagon {
namespace {

void (*g_fault)(uintptr_t address) = nullptr;
void (*g_misaligned)(const char*, uint32_t, uint32_t, uint32_t, uint32_t) = nullptr;

// Linux's struct sigaction on machines without a restorer, and the beginning of its siginfo_t.
struct Action {
  void (*handler)(int number, const void* info, void* context);
  unsigned long flags;
  uint32_t mask[2];
};
struct Info {
  int number, error, code;
  uintptr_t address;
};
constexpr unsigned long kWithInfo = 4;
constexpr int kSegmentation = 11, kBus = 7;

void faulted(int, const void* info, void*) { g_fault(static_cast<const Info*>(info)->address); }

}  // namespace

bool Region::reserve(size_t bytes) {
  const size_t wanted = (bytes + kPage - 1) / kPage * kPage;
  if (wanted <= size) return true;
  if (begin != nullptr) opkg_system_call(kCallUnmap, reinterpret_cast<long>(begin - kPage), static_cast<long>(size + 2 * kPage), 0, 0, 0, 0);
  uint8_t* const whole = static_cast<uint8_t*>(opkg_map(wanted + 2 * kPage));
  begin = whole != nullptr ? whole + kPage : nullptr;
  size = whole != nullptr ? wanted : 0;
  if (whole == nullptr) return false;
  opkg_system_call(kCallProtect, reinterpret_cast<long>(whole), kPage, 0, 0, 0, 0);
  opkg_system_call(kCallProtect, reinterpret_cast<long>(begin + size), kPage, 0, 0, 0, 0);
  return true;
}

bool Region::guards(uintptr_t address) const {
  const uintptr_t first = reinterpret_cast<uintptr_t>(begin);
  return begin != nullptr && address >= first - kPage && address < first + size + kPage;
}

void on_fault(void (*handler)(uintptr_t address)) {
  g_fault = handler;
  const Action action = {faulted, kWithInfo, {0, 0}};
  static constexpr int kNumbers[] = {kSegmentation, kBus};
  for (const int number : kNumbers) {
    opkg_system_call(kCallAction, number, reinterpret_cast<long>(&action), 0, sizeof action.mask, 0, 0);
  }
}

void on_misaligned(void (*handler)(const char*, uint32_t, uint32_t, uint32_t, uint32_t)) { g_misaligned = handler; }

}  // namespace hexagon
}  // namespace opkg

// What clang calls for an address that is no multiple of what its type wants, or of what __builtin_assume_aligned says (LLVM's
// undefined-behaviour interface).
extern "C" {

struct OpkgType {
  uint16_t kind, info;
  char name[1];  // and what follows it: 'HEXAGON_UVect1024' (...)
};

struct OpkgTypeMismatch {
  const char* file;
  uint32_t line, column;
  const OpkgType* type;
  uint8_t log_alignment;
  uint8_t kind;
};

void __ubsan_handle_type_mismatch_v1(const OpkgTypeMismatch* where, const void*) {
  using namespace opkg::hexagon;
  const char* const name = where->type->name + 1;
  if (strncmp(name, "HEXAGON_UVect", 13) == 0 || strncmp(name, "const HEXAGON_UVect", 19) == 0) return;  // vmemu takes any address
  if (g_misaligned != nullptr) g_misaligned(where->file, where->line, where->column, where->kind, 1u << where->log_alignment);
}

struct OpkgAlignmentAssumption {
  const char* file;
  uint32_t line, column;
};

void __ubsan_handle_alignment_assumption(const OpkgAlignmentAssumption* where, uintptr_t, uintptr_t alignment, uintptr_t) {
  using namespace opkg::hexagon;
  if (g_misaligned != nullptr) g_misaligned(where->file, where->line, where->column, 0, static_cast<uint32_t>(alignment));
}

}  // extern "C"

// Stand-in for the vendor header of this name: FARF(LEVEL, "format", ...).
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HAP_FARF_H_
#define OPKG_HAP_FARF_H_

#ifdef THIS_PKG_NAME
#include "HTP/opkg/log.h"
#else
#include <cstdarg>
#include <cstdio>
#endif

namespace opkg_sim {

// Numbers are QNN log levels.
enum FarfLevel {
  kFarf_FATAL = 1,
  kFarf_ERROR = 1,
  kFarf_ALWAYS = 3,
  kFarf_HIGH = 3,
  kFarf_MEDIUM = 4,
  kFarf_LOW = 5,
  kFarf_RUNTIME_FATAL = 1,
  kFarf_RUNTIME_ERROR = 1,
  kFarf_RUNTIME_HIGH = 3,
  kFarf_RUNTIME_MEDIUM = 4,
  kFarf_RUNTIME_LOW = 5,
};

__attribute__((format(printf, 2, 3))) inline void farf(int level, const char* format, ...) {
  va_list args;
  va_start(args, format);
#ifdef THIS_PKG_NAME
  log_text(level, format, args);
#else
  (void)level;
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
#endif
  va_end(args);
}

}  // namespace opkg_sim

#define FARF(LEVEL, ...) opkg_sim::farf(opkg_sim::kFarf_##LEVEL, __VA_ARGS__)

#endif  // OPKG_HAP_FARF_H_

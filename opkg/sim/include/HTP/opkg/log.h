// debuglog, infolog, warnlog and errlog: a kernel's messages, which reach the runner's report.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_LOG_H_
#define OPKG_HTP_LOG_H_

#include <cstdarg>
#include <cstdio>

#include "classic_abi.h"
#include "sdk.h"

namespace opkg_sim {

// Set by the runner; without one, messages go to stderr.
OPKG_SIM_LOCAL inline OpkgLogFn log_function = nullptr;

inline void log_text(int level, const char* format, va_list args) {
  char text[1024];
  vsnprintf(text, sizeof text, format, args);
  if (log_function) {
    log_function(level, text);
  } else {
    fprintf(stderr, "%s: %s\n", THIS_PKG_NAME_STR, text);
  }
}

}  // namespace opkg_sim

#define OPKG_SIM_DEFINE_LOG(NAME, LEVEL)                                           \
  __attribute__((format(printf, 1, 2))) inline int NAME(const char* format, ...) { \
    va_list args;                                                                  \
    va_start(args, format);                                                        \
    opkg_sim::log_text(LEVEL, format, args);                                       \
    va_end(args);                                                                  \
    return -1;                                                                     \
  }
OPKG_SIM_DEFINE_LOG(errlog, QNN_LOG_LEVEL_ERROR)
OPKG_SIM_DEFINE_LOG(warnlog, QNN_LOG_LEVEL_WARN)
OPKG_SIM_DEFINE_LOG(infolog, QNN_LOG_LEVEL_INFO)
OPKG_SIM_DEFINE_LOG(debuglog, QNN_LOG_LEVEL_DEBUG)
#undef OPKG_SIM_DEFINE_LOG

#endif  // OPKG_HTP_LOG_H_

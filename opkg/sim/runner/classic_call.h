// One kernel call: buffers in the layouts it asked for, the call, and the checks after it.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_CLASSIC_CALL_H_
#define OPKG_RUNNER_CLASSIC_CALL_H_

#include "classic_select.h"
#include "interface.h"

namespace opkg {

struct ClassicCall {
  std::string node;
  const OpkgKernel* kernel = nullptr;
  std::vector<ClassicOperand> operands;  // outputs, inputs, params
};

// Runs the kernel and fills its outputs' values. Adds the time of the call alone to *us.
Outcome runKernel(const ClassicCall& call, const CallStyle& style, uint64_t* us);

}  // namespace opkg

#endif  // OPKG_RUNNER_CLASSIC_CALL_H_

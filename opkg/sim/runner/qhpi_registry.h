// The ops and kernels that a package registered.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_QHPI_REGISTRY_H_
#define OPKG_RUNNER_QHPI_REGISTRY_H_

#include <string>

#include "qhpi_graph.h"

namespace opkg {

// What makes the backend refuse the whole package (1100); empty when it takes it.
const std::string& registrationRefusal();
size_t registeredOpCount();

}  // namespace opkg

#endif  // OPKG_RUNNER_QHPI_REGISTRY_H_

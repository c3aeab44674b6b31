// Processes that a kernel starts: none outlives the runner, and the runner does not outlive who started it. Linux.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_PROCESSES_H_
#define OPKG_RUNNER_PROCESSES_H_

namespace opkg {

// From here on the end of the parent, SIGTERM and SIGINT end this process and everything below it. Orphans among its
// descendants become its children, also those that went into a session of their own.
void endWithParent();

// Ends all children of this process and theirs, and waits for them. Async-signal-safe.
void endChildren();

}  // namespace opkg

#endif  // OPKG_RUNNER_PROCESSES_H_

// What the parts of the strict loader share.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_SIM_LOADER_LOADER_H_
#define OPKG_SIM_LOADER_LOADER_H_

#include <stddef.h>
#include <stdint.h>

namespace loader {

/// A name that a library may import. The table ends with a null name.
struct Name {
  const char* name;
  void* function;
};
extern const Name kNames[];

/// Prints a line to stdout.
void say(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// Ends the program: "refused: WHY WHAT" on stderr, exit code 1.
[[noreturn]] void refuse(const char* why, const char* what);

/// Zeroed pages to read, write and execute.
void* map_executable(size_t size);

/// Runs a registered kernel on flat tensors of `elements` elements; prints its outputs.
int call(const char* kernel, uint32_t elements);

}  // namespace loader

/// What a name of the DSP's shell stands for that the emulator does not have: ends the program when it is called.
extern "C" void opkg_loader_absent();

#endif  // OPKG_SIM_LOADER_LOADER_H_

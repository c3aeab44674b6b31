// Memory of the tensors of a call, and what the program shares with the kernels that it calls.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_SIM_HEXAGON_CALL_BUFFERS_H_
#define OPKG_SIM_HEXAGON_CALL_BUFFERS_H_

#include "call_reader.h"

/// Elements by vector code and by portable code: the same object as the kernels' (opkg/paths.h).
extern "C" __attribute__((weak)) uint64_t opkg_paths[2];

namespace opkg {
namespace hexagon {

/// What is said of the turn in which something happened.
constexpr const char* kWhich[] = {"", " (second call: other data, at the ends of pages)", " (third call: the first data, misaligned)"};

/// Memory of one tensor; `original` is its content before the call, null for outputs.
struct CallReader::Buffer {
  uint8_t* data;     // first byte of the tensor, or of its first block
  uint32_t before;   // guard bytes in front of a block or of the flat tensor; before them a page that cannot be touched
  uint32_t after;    // and behind it
  void** blocks;     // null: flat
  uint32_t count;    // of blocks; 1 for a flat tensor
  uint32_t bytes;    // of a block, or of the flat tensor
  uint32_t stride;   // from one block to the next
  const char* original;
  uint32_t reversed;  // bytes of an element whose order was reversed, or 0
  bool is_output;
  bool is_shared;    // an output in the memory of an input
};

}  // namespace hexagon
}  // namespace opkg

#endif  // OPKG_SIM_HEXAGON_CALL_BUFFERS_H_

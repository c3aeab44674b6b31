// Runs a kernel as a prepared graph does: precomputation writes a buffer, and calls get nothing else. Pointers are the handles.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_SIM_HEXAGON_CALL_KEPT_H_
#define OPKG_SIM_HEXAGON_CALL_KEPT_H_

#include <stdlib.h>

#include "call.h"
#include "opkg/kept.h"

namespace opkg {
namespace hexagon {

inline void* kept_data(Memory::Handle handle) { return const_cast<QHPI_Tensor*>(handle); }
inline void** kept_blocks(Memory::Handle handle) { return static_cast<void**>(kept_data(handle)); }

template <typename Args, typename Bind>
void run_kept(Call& call, void (*keep)(const Args&, void*), uint32_t bytes, Bind bind_all) {
  constexpr uint32_t kShift = 16;  // all that the runtime's buffers are aligned to
  auto* const room = static_cast<uint8_t*>(malloc(bytes + kShift));
  if (room == nullptr) return;
  uint8_t* const data = room + kShift;
  const auto prepare = [&](const Args& op) {
    memset(data, 0xa5, bytes);
    keep(op, data);
  };
  call.turns<Args>(prepare, bind_all, [&](const Args&, Slice slice) {
    return opkg::run(data, Memory{kept_data, kept_blocks}, slice);
  });
  free(room);
}

}  // namespace hexagon
}  // namespace opkg

#endif  // OPKG_SIM_HEXAGON_CALL_KEPT_H_

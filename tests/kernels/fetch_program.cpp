// Calls with large inputs in DDR: a part's bytes are asked for before it runs, and none beyond the tensor. On hosts what is
// asked for is written down; in qemu the instruction runs. Ends with 0, or with the number of what is wrong.
#include <cstddef>
#include <cstdint>

#if defined(__hexagon__)
constexpr bool kWritten = false;
#else
constexpr bool kWritten = true;
void written(const void* from, size_t bytes);
#define OPKG_FETCHED(from, bytes) written(from, bytes)
#endif

#include "opkg/kept.h"

namespace {

constexpr size_t kMost = 1 << 18;
uint8_t g_bytes[kMost];
bool g_asked[kMost];
size_t g_size, g_done;
int g_wrong;

struct Reads : opkg::KeptCall {
  Reads(size_t bytes, size_t unit) : units((bytes + unit - 1) / unit), unit(unit) {
    run = &Reads::part;
    slices = 64;
    add({g_bytes, bytes, unit});
  }
  static opkg::Status part(const opkg::KeptCall& call, const opkg::Memory&, opkg::Slice slice) {
    const auto& self = static_cast<const Reads&>(call);
    const size_t first = slice.begin(self.units) * self.unit, end = slice.end(self.units) * self.unit;
    for (size_t i = first; i < end && i < g_size; ++i, ++g_done) {
      if (kWritten && self.num_streams != 0 && !g_asked[i]) g_wrong = 2;
    }
    return opkg::Status::ok;
  }
  size_t units, unit;
};

void* data(opkg::Memory::Handle handle) { return const_cast<QHPI_Tensor*>(handle); }

alignas(128) uint8_t g_room[1024];

/// All slices of a call, the last one first.
void call(size_t bytes, size_t unit, uint32_t count) {
  g_size = bytes, g_done = 0;
  for (bool& asked : g_asked) asked = false;
  opkg::Keeper keeper(g_room);
  keeper.add(new (keeper) Reads(bytes, unit));
  for (uint32_t i = count; i-- > 0;) {
    if (opkg::run(g_room, {data, nullptr}, {i, count}) != opkg::Status::ok) g_wrong = 3;
  }
  if (g_done != bytes) g_wrong = 4;
}

}  // namespace

#if !defined(__hexagon__)
void written(const void* from, size_t bytes) {
  const size_t first = static_cast<const uint8_t*>(from) - g_bytes;
  if (bytes == 0 || bytes > 65535 || first + bytes > g_size) g_wrong = 1;
  for (size_t i = first; i < first + bytes; ++i) g_asked[i] = true;
}
#endif

int main() {
  static_assert(opkg::kept_bytes<Reads>() < sizeof g_room, "room for a call");
  const size_t sizes[] = {1, 57344, 57345, 200704, kMost - 1, kMost};
  for (const size_t size : sizes) {
    for (const size_t unit : {size_t{17}, size_t{128}, size_t{8000}}) {
      for (const uint32_t count : {1u, 3u, 4u}) call(size, unit, count);
    }
  }
  call(kMost, 60000, 1);  // rows too long to be fetched
  return g_wrong;
}

// Rows of all lengths brought to slots and back (opkg/hvx_route.h). Prints how many bytes are wrong.
#include "opkg/hvx_route.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

int main() {
  using opkg::hvx::SlotRoute;
  size_t wrong = 0;
  for (size_t slot = 4; slot <= 128; slot *= 2) {
    for (size_t bytes = slot <= 8 ? slot / 4 : slot / 2 + 1; bytes <= slot; ++bytes) {
      const SlotRoute route(bytes, slot);
      for (const size_t rows : {1, 2, 3, 31, 32}) {
        std::vector<uint8_t> there(rows * bytes), back(rows * bytes + 128, 7);
        for (uint8_t& byte : there) byte = static_cast<uint8_t>(rand());
        alignas(128) uint8_t held[32 * 128];
        SlotRoute::gather(route, there.data(), there.size(), rows * slot, held);
        for (size_t k = 0; k < there.size(); ++k) wrong += held[k / bytes * slot + k % bytes] != there[k];
        SlotRoute::spread(route, held, there.size(), rows * slot, back.data());
        for (size_t k = 0; k < back.size(); ++k) wrong += back[k] != (k < there.size() ? there[k] : 7);
      }
    }
  }
  printf("%zu\n", wrong);
  return wrong != 0;
}

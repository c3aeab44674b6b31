// Several threads ask a cache for tables; prints how often one was wrong and how often one was computed.
#include <cstdio>
#include <thread>
#include <vector>

#include "opkg/rows_table.h"

struct Key {
  float scale;
  int32_t zero;
};
struct Table {
  alignas(128) uint8_t entries[256];
};

static opkg::TableCache<Key, Table, 4> cache;
static uint32_t made;

static uint32_t ask(uint32_t number) {
  const Key key{static_cast<float>(number), -1};
  Table table;
  cache.get(key, table, [&](Table& fresh) {
    __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < 256; ++i) fresh.entries[i] = static_cast<uint8_t>(number * 31 + i);
  });
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < 256; ++i) wrong += table.entries[i] != static_cast<uint8_t>(number * 31 + i);
  return wrong;
}

int main() {
  uint32_t wrong = 0;
  for (uint32_t turn = 0; turn < 100; ++turn) wrong += ask(turn % 4);
  std::printf("%u %u ", wrong, made);
  made = wrong = 0;
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([t, &wrong] {
      uint32_t mine = 0;
      for (uint32_t turn = 0; turn < 20000; ++turn) mine += ask((turn / 50 * (t + 1)) % 9);
      __atomic_fetch_add(&wrong, mine, __ATOMIC_RELAXED);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::printf("%u %u\n", wrong, made);
}

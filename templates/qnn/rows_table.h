// A cache of lookup tables that several threads may ask at once: a table is computed once, not on every call.
#ifndef OPKG_ROWS_TABLE_H_
#define OPKG_ROWS_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace opkg {

/// Tables by the numbers that they are made of. Key and Table: plain data without padding, whole 32-bit words. Make it a
/// static object; it has no constructor to run. Nobody ever waits: a table that cannot be read or kept is computed.
template <typename Key, typename Table, uint32_t kSlots = 8>
class TableCache {
 public:
  /// Copies the table of `key` to `table`; make(table) computes it when it is not here.
  template <typename Make>
  void get(const Key& key, Table& table, const Make& make) {
    for (Slot& slot : slots_) {
      if (read(slot, key, table)) return;
    }
    make(table);
    const uint32_t turn = __atomic_fetch_add(&turn_, 1, __ATOMIC_RELAXED);
    write(slots_[turn % kSlots], key, table);
  }

 private:
  static_assert(sizeof(Key) % 4 == 0 && sizeof(Table) % 4 == 0, "whole words");
  static constexpr size_t kKeyWords = sizeof(Key) / 4;
  static constexpr size_t kTableWords = sizeof(Table) / 4;

  struct Slot {
    uint32_t version;  ///< odd while somebody writes; 0: empty
    uint32_t key[kKeyWords];
    uint32_t table[kTableWords];
  };

  /// Reads a slot if it has the key, and if nobody wrote to it meanwhile.
  static bool read(Slot& slot, const Key& key, Table& table) {
    const uint32_t before = __atomic_load_n(&slot.version, __ATOMIC_ACQUIRE);
    if (before == 0 || before % 2 != 0) return false;
    uint32_t wanted[kKeyWords];
    memcpy(wanted, &key, sizeof key);
    for (size_t i = 0; i < kKeyWords; ++i) {
      if (__atomic_load_n(&slot.key[i], __ATOMIC_RELAXED) != wanted[i]) return false;
    }
    uint8_t* const to = reinterpret_cast<uint8_t*>(&table);
    for (size_t i = 0; i < kTableWords; ++i) {
      const uint32_t word = __atomic_load_n(&slot.table[i], __ATOMIC_RELAXED);
      memcpy(to + 4 * i, &word, 4);
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&slot.version, __ATOMIC_RELAXED) == before;
  }

  /// Keeps a table, unless somebody else is writing to the slot.
  static void write(Slot& slot, const Key& key, const Table& table) {
    uint32_t version = __atomic_load_n(&slot.version, __ATOMIC_RELAXED);
    if (version % 2 != 0) return;
    if (!__atomic_compare_exchange_n(&slot.version, &version, version + 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      return;
    }
    __atomic_thread_fence(__ATOMIC_RELEASE);
    put(slot.key, &key, kKeyWords);
    put(slot.table, &table, kTableWords);
    const uint32_t next = version + 2;
    __atomic_store_n(&slot.version, next != 0 ? next : 2, __ATOMIC_RELEASE);
  }

  static void put(uint32_t* to, const void* from, size_t words) {
    for (size_t i = 0; i < words; ++i) {
      uint32_t word;
      memcpy(&word, static_cast<const uint8_t*>(from) + 4 * i, 4);
      __atomic_store_n(&to[i], word, __ATOMIC_RELAXED);
    }
  }

  uint32_t turn_ = 0;
  Slot slots_[kSlots] = {};
};

}  // namespace opkg

#endif  // OPKG_ROWS_TABLE_H_

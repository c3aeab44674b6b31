// Allocates and checks guarded buffers.
// SPDX-License-Identifier: Apache-2.0
#include "guarded.h"

#include <pthread.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "progress.h"

namespace opkg {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kLine = 128;         // of HVX
constexpr size_t kNoAccess = 16384;   // unreadable bytes at both ends of an allocation
constexpr size_t kMostGuarded = 4096;  // parts with unreadable pages between them; each costs the kernel two mappings

size_t roundUp(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

// What the bytes of a page hold where no part lies. A table, because each call of a kernel fills and compares pages;
// made by the compiler, because the first calls come from several threads at once.
struct Canaries {
  uint8_t page[kPage];
};

constexpr Canaries canaryPage() {
  Canaries made = {};
  for (size_t i = 0; i < kPage; ++i) made.page[i] = static_cast<uint8_t>(0xB5u ^ (i * 37u) ^ (i >> 8));
  return made;
}

constexpr Canaries kCanaries = canaryPage();

// The canary bytes of a gap, which lies in one page.
const uint8_t* canariesFor(const uint8_t* gap) { return kCanaries.page + reinterpret_cast<uintptr_t>(gap) % kPage; }

// A backend calls kernels from several threads.
class Locked {
 public:
  Locked() { pthread_mutex_lock(mutex()); }
  ~Locked() { pthread_mutex_unlock(mutex()); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  static pthread_mutex_t* mutex() {
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    return &one;
  }
};

void watch(const std::string& name, uint8_t* low, size_t size, uint8_t* first, size_t part, size_t stride,
           size_t parts) {
  const Locked locked;
  Progress& shared = progress();
  const uint32_t slot = shared.range_count;
  if (slot >= sizeof shared.ranges / sizeof shared.ranges[0]) return;
  WatchedRange& range = shared.ranges[slot];
  range.low = reinterpret_cast<uintptr_t>(low);
  range.high = range.low + size;
  range.first = reinterpret_cast<uintptr_t>(first);
  range.part = part;
  range.stride = stride;
  range.parts = parts;
  snprintf(range.name, sizeof range.name, "%s", name.c_str());
  shared.range_count = slot + 1;
}

void unwatch(uint8_t* low) {
  const Locked locked;
  Progress& shared = progress();
  for (uint32_t i = 0; i < shared.range_count; ++i) {
    if (shared.ranges[i].low != reinterpret_cast<uintptr_t>(low)) continue;
    shared.ranges[i] = shared.ranges[shared.range_count - 1];
    shared.range_count = shared.range_count - 1;
    return;
  }
}

// Bytes of a part's pages in front of it.
size_t offsetIn(size_t room, size_t size, Place place, size_t element) {
  if (place == Place::kStart) return 0;
  const size_t slack = room - size;
  if (place == Place::kLineEnd) return slack / kLine * kLine;
  return size % kLine == 0 && slack >= element ? slack - element : slack;
}

}  // namespace

GuardedBuffer::GuardedBuffer(const char* name, size_t part_size, size_t parts, Place place, size_t element)
    : name_(name), part_size_(part_size), parts_(parts) {
  // Blocks stay aligned to their size; a flat tensor that fills its pages gets one more, so that it can be misaligned.
  const bool misaligned = place == Place::kByteEnd && parts == 1;
  const size_t room = roundUp(part_size + (misaligned && part_size % kLine == 0 ? element : 0), kPage);
  const size_t gap = parts <= kMostGuarded ? kPage : 0;
  if (place == Place::kByteEnd && !misaligned) place = Place::kLineEnd;
  before_ = offsetIn(room, part_size, place, element);
  after_ = room - before_ - part_size;
  stride_ = room + gap;
  mapping_size_ = parts * stride_ + 2 * kNoAccess;
  // Readable at first, then guarded: helgrind looks at nothing that was once without access.
  void* mapping = mmap(nullptr, mapping_size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) abort();
  mapping_ = static_cast<uint8_t*>(mapping);
  first_ = mapping_ + kNoAccess + before_;
  mprotect(mapping_, kNoAccess, PROT_NONE);
  mprotect(mapping_ + mapping_size_ - kNoAccess, kNoAccess, PROT_NONE);
  for (size_t i = 0; i < parts_; ++i) {
    uint8_t* const begin = part(i) - before_;
    if (gap != 0) mprotect(begin + room, gap, PROT_NONE);
    memcpy(begin, canariesFor(begin), before_);
    memcpy(part(i) + part_size_, canariesFor(part(i) + part_size_), after_);
  }
  watch(name_, mapping_, mapping_size_, first_, part_size_, stride_, parts_);
}

GuardedBuffer::~GuardedBuffer() {
  if (mapping_ == nullptr) return;
  unwatch(mapping_);
  munmap(mapping_, mapping_size_);
}

GuardedBuffer::GuardedBuffer(GuardedBuffer&& other) noexcept { *this = std::move(other); }

GuardedBuffer& GuardedBuffer::operator=(GuardedBuffer&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(mapping_, other.mapping_);
  std::swap(mapping_size_, other.mapping_size_);
  std::swap(first_, other.first_);
  std::swap(part_size_, other.part_size_);
  std::swap(parts_, other.parts_);
  std::swap(stride_, other.stride_);
  std::swap(before_, other.before_);
  std::swap(after_, other.after_);
  return *this;
}

void GuardedBuffer::fill(uint8_t value) const {
  for (size_t i = 0; i < parts_; ++i) memset(part(i), value, part_size_);
}

bool GuardedBuffer::checkGap(size_t index, bool before, std::string* message) const {
  uint8_t* const begin = part(index);
  const uint8_t* const gap = before ? begin - before_ : begin + part_size_;
  const size_t size = before ? before_ : after_;
  const uint8_t* const expected = canariesFor(gap);
  if (memcmp(gap, expected, size) == 0) return true;
  size_t at = before ? size - 1 : 0;  // the one next to the part
  while (gap[at] == expected[at]) at += before ? -1 : 1;
  char where[160];
  snprintf(where, sizeof where, "tensor %s%s: wrote at byte offset %ld, %s", name_.c_str(),
           parts_ > 1 ? (" block " + std::to_string(index)).c_str() : "", static_cast<long>(gap + at - begin),
           before ? "before its start" : ("past its end (size " + std::to_string(part_size_) + ")").c_str());
  *message = where;
  return false;
}

bool GuardedBuffer::check(std::string* message) const {
  for (size_t i = 0; i < parts_; ++i) {
    if (!checkGap(i, false, message)) return false;
    if (!checkGap(i, true, message)) return false;
  }
  return true;
}

}  // namespace opkg

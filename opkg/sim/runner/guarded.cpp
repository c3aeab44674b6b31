// Allocates and checks guarded buffers.
// SPDX-License-Identifier: Apache-2.0
#include "guarded.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "progress.h"

namespace opkg {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kAlignment = 2048;
constexpr size_t kCanary = 2048;     // between parts and at both ends; 1 KiB at least after rounding
constexpr size_t kNoAccess = 16384;  // unreadable bytes at both ends

size_t roundUp(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

uint8_t canary(const uint8_t* address) {
  const uintptr_t bits = reinterpret_cast<uintptr_t>(address);
  return static_cast<uint8_t>(0xB5u ^ (bits * 37u) ^ (bits >> 8));
}

void watch(const std::string& name, uint8_t* low, size_t size, uint8_t* begin, uint8_t* end) {
  Progress& shared = progress();
  const uint32_t slot = shared.range_count;
  if (slot >= sizeof shared.ranges / sizeof shared.ranges[0]) return;
  WatchedRange& range = shared.ranges[slot];
  range.low = reinterpret_cast<uintptr_t>(low);
  range.high = range.low + size;
  range.begin = reinterpret_cast<uintptr_t>(begin);
  range.end = reinterpret_cast<uintptr_t>(end);
  snprintf(range.name, sizeof range.name, "%s", name.c_str());
  shared.range_count = slot + 1;
}

void unwatch(uint8_t* low) {
  Progress& shared = progress();
  for (uint32_t i = 0; i < shared.range_count; ++i) {
    if (shared.ranges[i].low != reinterpret_cast<uintptr_t>(low)) continue;
    shared.ranges[i] = shared.ranges[shared.range_count - 1];
    shared.range_count = shared.range_count - 1;
    return;
  }
}

}  // namespace

GuardedBuffer::GuardedBuffer(const char* name, size_t part_size, size_t parts)
    : name_(name), part_size_(part_size), parts_(parts) {
  stride_ = roundUp(part_size, kAlignment) + kCanary;
  const size_t inner = roundUp(kCanary + parts * stride_, kPage);
  mapping_size_ = inner + 2 * kNoAccess;
  void* mapping = mmap(nullptr, mapping_size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) abort();
  mapping_ = static_cast<uint8_t*>(mapping);
  uint8_t* const begin = mapping_ + kNoAccess;
  mprotect(begin, inner, PROT_READ | PROT_WRITE);
  first_ = begin + kCanary;
  uint8_t* from = begin;
  for (size_t i = 0; i < parts_; ++i) {
    for (; from < part(i); ++from) *from = canary(from);
    from = part(i) + part_size_;
  }
  for (; from < begin + inner; ++from) *from = canary(from);
  watch(name_, mapping_, mapping_size_, first_, part(parts_ - 1) + part_size_);
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
  return *this;
}

void GuardedBuffer::fill(uint8_t value) const {
  for (size_t i = 0; i < parts_; ++i) memset(part(i), value, part_size_);
}

bool GuardedBuffer::checkGap(size_t index, bool before, std::string* message) const {
  uint8_t* const begin = part(index);
  const uint8_t* at = before ? begin - 1 : begin + part_size_;
  const uint8_t* const stop = before ? begin - kCanary - 1 : begin + stride_ - kCanary + 1024;
  for (; at != stop; before ? --at : ++at) {
    if (*at == canary(at)) continue;
    char where[160];
    snprintf(
        where, sizeof where, "tensor %s%s: wrote at byte offset %ld, %s", name_.c_str(),
        parts_ > 1 ? (" block " + std::to_string(index)).c_str() : "", static_cast<long>(at - begin),
        before ? "before its start" : ("past its end (size " + std::to_string(part_size_) + ")").c_str());
    *message = where;
    return false;
  }
  return true;
}

bool GuardedBuffer::check(std::string* message) const {
  for (size_t i = 0; i < parts_; ++i) {
    if (!checkGap(i, false, message)) return false;
    if (i == 0 && !checkGap(i, true, message)) return false;
  }
  return true;
}

}  // namespace opkg

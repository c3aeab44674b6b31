// Memory of the tensors of a call between guards: laid out for each turn, filled, and looked at afterwards.
// SPDX-License-Identifier: Apache-2.0
#include "call_buffers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t opkg_paths[2];

namespace opkg {
namespace hexagon {
namespace {

constexpr uint32_t kGuard = 256;        // bytes between blocks, and most of those that are looked at around a tensor
constexpr uint32_t kLine = 128;
constexpr uint8_t kUnwritten[] = {0xcd, 0x3c, 0x5a};  // what outputs hold before the kernel runs, by turn
constexpr uint32_t kConstant = 0xffffffff;            // access of an input that never changes

uint8_t guard_at(uint32_t place) { return static_cast<uint8_t>(0x5a + place * 7); }

void set_guard(uint8_t* at, uint32_t size) {
  for (uint32_t i = 0; i < size; ++i) at[i] = guard_at(i);
}

/// Offset of the first byte of a guard that was changed, its size when none was.
uint32_t broken(const uint8_t* at, uint32_t size) {
  for (uint32_t i = 0; i < size; ++i) {
    if (at[i] != guard_at(i)) return i;
  }
  return size;
}

uint32_t least(size_t a, uint32_t b) { return a < b ? static_cast<uint32_t>(a) : b; }

/// Guard bytes in front of and behind a block: those between blocks belong to the one in front of them.
uint32_t front(const CallReader::Buffer& buffer, uint32_t block) { return block == 0 ? buffer.before : 0; }
uint32_t rear(const CallReader::Buffer& buffer, uint32_t block) {
  return block + 1 < buffer.count ? buffer.stride - buffer.bytes : buffer.after;
}

}  // namespace

/// Memory of `size` bytes between guards; blocks lie apart, and their table does not follow the addresses. In the first
/// turn it begins with its region. In the others its last line ends with it, or its last byte: in the third turn without a
/// shift, in the second with one, which the third then has.
bool CallReader::allocate(Buffer& buffer, uint32_t size, uint32_t shift, uint32_t block, uint32_t element) {
  buffer.count = block != 0 ? size / block : 1;
  buffer.bytes = block != 0 ? block : size;
  buffer.stride = block != 0 ? 2 * block : size;
  const size_t extent = block != 0 && buffer.count != 0 ? static_cast<size_t>(buffer.count - 1) * buffer.stride + block : size;
  Region& region = regions_[num_buffers_];
  if (!region.reserve(extent + kLine + shift)) return false;
  const size_t to_byte = region.size - extent - (extent % kLine == 0 ? element : 0);
  size_t from = 0;
  if (turn_ != Turn::first) from = region.size - (extent + kLine - 1) / kLine * kLine;
  if (block == 0 && turn_ == (shift != 0 ? Turn::other : Turn::again)) from = to_byte;
  if (block == 0 && shift != 0 && turn_ == Turn::again) from = region.size - (extent + shift + kLine - 1) / kLine * kLine + shift;
  buffer.data = region.begin + from;
  const size_t behind = region.size - from - extent;
  buffer.before = least(from, kGuard);
  buffer.after = least(behind, kGuard);
  for (uint32_t i = 0; i < buffer.count; ++i) {
    uint8_t* data = buffer.data + static_cast<size_t>(i) * buffer.stride;
    memset(data, kUnwritten[static_cast<int>(turn_)], buffer.bytes);
    set_guard(data - front(buffer, i), front(buffer, i));
    set_guard(data + buffer.bytes, rear(buffer, i));
  }
  if (block == 0) return true;
  buffer.blocks = static_cast<void**>(malloc((buffer.count + 1) * sizeof(void*)));
  for (uint32_t i = 0; buffer.blocks != nullptr && i < buffer.count; ++i) {
    buffer.blocks[i] = buffer.data + static_cast<size_t>(buffer.count - 1 - i) * buffer.stride;
  }
  return buffer.blocks != nullptr;
}

/// Copies an input's elements, in the other turn in reverse order.
void CallReader::copy_in(const Buffer& buffer, uint32_t size, uint32_t element, bool reversed) {
  if (!reversed) {
    for (uint32_t i = 0; i < buffer.count; ++i) {
      void* to = buffer.blocks != nullptr ? buffer.blocks[i] : buffer.data;
      memcpy(to, buffer.original + static_cast<size_t>(i) * buffer.bytes, buffer.bytes);
    }
    return;
  }
  for (uint32_t at = 0; at + element <= size; at += element) {
    uint8_t* to = buffer.data;
    if (buffer.blocks != nullptr) to = static_cast<uint8_t*>(buffer.blocks[at / buffer.bytes]);
    memcpy(to + at % buffer.bytes, buffer.original + size - element - at, element);
  }
}

bool CallReader::place(TensorRecord& record, uint32_t access, uint32_t size, uint32_t shift, uint32_t block, uint32_t element) {
  if (num_buffers_ == kMostBuffers || buffers_ == nullptr || regions_ == nullptr) {
    refuse("too many tensors");
    return false;
  }
  const bool is_input = access == 0 || access == kConstant;
  Buffer& buffer = buffers_[num_buffers_];
  buffer = Buffer();
  if (!is_input && access >= 2) {
    if (access - 2 >= num_buffers_ || buffers_[access - 2].bytes * buffers_[access - 2].count != size) {
      refuse("an output cannot share the memory of that tensor");
      return false;
    }
    buffer = buffers_[access - 2];
    buffers_[access - 2].original = buffer.original = nullptr;  // the kernel may write there
    buffer.is_shared = true;
  } else if (!allocate(buffer, size, shift, block, element)) {
    refuse("out of memory");
    return false;
  }
  ++num_buffers_;
  buffer.is_output = !is_input;
  if (is_input) {
    at_ = (at_ + 7) / 8 * 8;
    if (at_ + size > size_) {
      refuse("the call ends early");
      return false;
    }
    buffer.original = body_ + at_;
    at_ += size;
    buffer.reversed = turn_ == Turn::other && access == 0 ? element : 0;
    copy_in(buffer, size, element, buffer.reversed != 0);
  }
  record.data = buffer.data;
  record.blocks = buffer.blocks;
  record.num_blocks = buffer.count;
  return true;
}

/// Tensors are numbered in the order of the arguments; Python puts their names in. True: nothing was touched that is not
/// the kernel's.
bool CallReader::check() {
  for (uint32_t t = 0; t < num_buffers_; ++t) {
    const Buffer& buffer = buffers_[t];
    for (uint32_t i = 0; i < buffer.count; ++i) {
      const uint8_t* data = buffer.data + static_cast<size_t>(i) * buffer.stride;
      const uint32_t in_front = front(buffer, i), behind = rear(buffer, i);
      const uint32_t before = broken(data - in_front, in_front), after = broken(data + buffer.bytes, behind);
      if (before == in_front && after == behind) continue;
      const bool past = after != behind;
      status_ = "guard";
      snprintf(message_, sizeof message_, "{%u}: written %u bytes %s its %s%s", t, past ? after + 1 : in_front - before,
               past ? "behind" : "before", buffer.blocks != nullptr ? "block" : past ? "end" : "start", kWhich[static_cast<int>(turn_)]);
      return false;
    }
    if (buffer.original == nullptr) continue;
    const uint32_t size = buffer.count * buffer.bytes;
    const uint32_t unit = buffer.reversed != 0 ? buffer.reversed : buffer.bytes;
    for (uint32_t at = 0; unit != 0 && at < size; at += unit) {
      const uint8_t* data = buffer.blocks != nullptr ? static_cast<uint8_t*>(buffer.blocks[at / buffer.bytes]) : buffer.data;
      const char* wanted = buffer.original + (buffer.reversed != 0 ? size - unit - at : at);
      if (memcmp(data + at % buffer.bytes, wanted, unit) == 0) continue;
      status_ = "guard";
      snprintf(message_, sizeof message_, "{%u}: the kernel wrote into an input%s", t, kWhich[static_cast<int>(turn_)]);
      return false;
    }
  }
  return true;
}

bool CallReader::finish() {
  if (!check()) return false;
  if (turn_ == Turn::other) return true;
  const int which = turn_ == Turn::again ? 1 : 0;
  if (which == 0) memcpy(paths_, opkg_paths, sizeof paths_);
  size_t size = 0;
  for (uint32_t t = 0; t < num_buffers_; ++t) size += buffers_[t].is_output ? buffers_[t].count * buffers_[t].bytes : 0;
  if (size > kept_room_[which]) {
    free(kept_[which]);
    kept_[which] = static_cast<char*>(malloc(size));
    kept_room_[which] = kept_[which] != nullptr ? size : 0;
  }
  if (size > kept_room_[which]) {
    refuse("out of memory");
    return false;
  }
  kept_size_ = size;
  char* to = kept_[which];
  for (uint32_t t = 0; t < num_buffers_; ++t) {
    const Buffer& buffer = buffers_[t];
    for (uint32_t i = 0; buffer.is_output && i < buffer.count; ++i, to += buffer.bytes) {
      memcpy(to, buffer.blocks != nullptr ? buffer.blocks[i] : buffer.data, buffer.bytes);
    }
  }
  differs_ = which == 1 && memcmp(kept_[0], kept_[1], size) != 0;
  return true;
}

}  // namespace hexagon
}  // namespace opkg

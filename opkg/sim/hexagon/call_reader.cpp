// The calls of a file, run one after the other.
// SPDX-License-Identifier: Apache-2.0
#include "call_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system.h"

namespace opkg {
namespace hexagon {

constexpr uint32_t kGuard = 256;        // bytes before and after every tensor and every block
constexpr uint32_t kBlockBytes = 2048;  // of a crouton
constexpr uint32_t kLine = 128;
constexpr uint8_t kUnwritten = 0xcd;  // what outputs hold before the kernel runs

/// Memory of one tensor; `original` is its content before the call, null for outputs.
struct CallReader::Buffer {
  uint8_t* whole;    // what was allocated
  uint8_t* data;     // first byte of the tensor, or of its first block
  void** blocks;     // null: flat
  uint32_t count;    // of blocks; 1 for a flat tensor
  uint32_t bytes;    // of a block, or of the flat tensor
  uint32_t stride;   // from one block to the next
  const char* original;
  bool is_output;
  bool is_shared;    // an output in the memory of an input
};

namespace {

uint8_t guard_at(uint32_t place) { return static_cast<uint8_t>(0x5a + place * 7); }

void set_guard(uint8_t* at) {
  for (uint32_t i = 0; i < kGuard; ++i) at[i] = guard_at(i);
}

/// Offset of the first byte of a guard that was changed, kGuard when none was.
uint32_t broken(const uint8_t* at) {
  for (uint32_t i = 0; i < kGuard; ++i) {
    if (at[i] != guard_at(i)) return i;
  }
  return kGuard;
}

bool read_all(int file, void* data, size_t size) {
  char* to = static_cast<char*>(data);
  while (size != 0) {
    const long got = opkg_read(file, to, size);
    if (got <= 0) return false;
    to += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

}  // namespace

bool CallReader::load(int file, uint32_t size) {
  if (size > room_) {
    free(body_);
    room_ = size;
    body_ = static_cast<char*>(malloc(size));
    if (body_ == nullptr) return false;
  }
  for (uint32_t i = 0; i < num_buffers_; ++i) {
    if (buffers_[i].is_shared) continue;
    free(buffers_[i].whole);
    free(buffers_[i].blocks);
  }
  if (buffers_ == nullptr) buffers_ = static_cast<Buffer*>(malloc(kMostBuffers * sizeof(Buffer)));
  num_buffers_ = 0;
  size_ = size;
  at_ = 0;
  status_ = "ok";
  code_ = 0;
  message_[0] = 0;
  if (!read_all(file, body_, size)) return false;
  kernel_ = word();
  slices_ = word();
  return true;
}

void CallReader::refuse(const char* why) {
  if (message_[0] != 0) return;
  status_ = "error";
  snprintf(message_, sizeof message_, "%s", why);
}

uint32_t CallReader::word() {
  uint32_t value = 0;
  if (at_ + sizeof value > size_) {
    refuse("the call ends early");
    return 0;
  }
  memcpy(&value, body_ + at_, sizeof value);
  at_ += sizeof value;
  return value;
}

uint64_t CallReader::scalar() {
  if (word() != 4) refuse("the kernel's arguments have a scalar where the call has none");
  const uint64_t low = word();
  return low | static_cast<uint64_t>(word()) << 32;
}

uint32_t CallReader::list(uint32_t capacity) {
  if (word() != 3) refuse("the kernel's arguments have a list where the call has none");
  const uint32_t count = word();
  if (count > capacity) refuse("the call has a longer list than the kernel's arguments");
  return count <= capacity ? count : 0;
}

bool CallReader::tensor(uint32_t kind, size_t element, TensorRecord& record) {
  const uint32_t found = word();
  if (found == 0) return false;
  if (found != kind) {
    refuse(kind == 1 ? "the kernel takes a flat tensor where the call has none" : "the kernel takes blocks where the call has none");
    return false;
  }
  const uint32_t access = word();
  record.rank = kind == 1 ? word() : 4;
  for (uint32_t i = 0; i < (kind == 1 ? 6u : 4u); ++i) record.dims[i] = word();
  for (uint32_t i = 0; kind == 2 && i < 4; ++i) record.padded[i] = word();
  const uint32_t scale = word();
  memcpy(&record.scale, &scale, sizeof scale);
  record.zero = static_cast<int32_t>(word());
  const uint32_t size = word(), shift = word();
  uint64_t elements = 1;
  for (uint32_t i = 0; i < record.rank; ++i) elements *= kind == 1 ? record.dims[i] : record.padded[i];
  if (elements * element != size) {
    refuse("a tensor's elements have another size in the call than in the kernel's arguments");
    return false;
  }
  return place(record, access, size, shift, kind == 2 ? kBlockBytes : 0);
}

/// Memory of `size` bytes between guards; blocks lie apart, and their table does not follow the addresses.
bool CallReader::allocate(Buffer& buffer, uint32_t size, uint32_t shift, uint32_t block) {
  buffer.count = block != 0 ? size / block : 1;
  buffer.bytes = block != 0 ? block : size;
  const uint32_t align = block != 0 ? block : kLine;  // blocks start at multiples of their size
  buffer.stride = block != 0 ? 2 * block : size + 2 * kGuard;
  buffer.whole = static_cast<uint8_t*>(malloc(static_cast<size_t>(buffer.count) * buffer.stride + 2 * align + 2 * kGuard));
  if (buffer.whole == nullptr) return false;
  uintptr_t first = reinterpret_cast<uintptr_t>(buffer.whole) + kGuard;
  first = (first + align - 1) / align * align + shift;
  buffer.data = reinterpret_cast<uint8_t*>(first);
  for (uint32_t i = 0; i < buffer.count; ++i) {
    uint8_t* data = buffer.data + static_cast<size_t>(i) * buffer.stride;
    set_guard(data - kGuard);
    memset(data, kUnwritten, buffer.bytes);
    set_guard(data + buffer.bytes);
  }
  if (block == 0) return true;
  buffer.blocks = static_cast<void**>(malloc(buffer.count * sizeof(void*)));
  for (uint32_t i = 0; buffer.blocks != nullptr && i < buffer.count; ++i) {
    buffer.blocks[i] = buffer.data + static_cast<size_t>(buffer.count - 1 - i) * buffer.stride;
  }
  return buffer.blocks != nullptr;
}

bool CallReader::place(TensorRecord& record, uint32_t access, uint32_t size, uint32_t shift, uint32_t block) {
  if (num_buffers_ == kMostBuffers || buffers_ == nullptr) {
    refuse("too many tensors");
    return false;
  }
  Buffer& buffer = buffers_[num_buffers_];
  buffer = Buffer();
  if (access >= 2) {
    if (access - 2 >= num_buffers_ || buffers_[access - 2].bytes * buffers_[access - 2].count != size) {
      refuse("an output cannot share the memory of that tensor");
      return false;
    }
    buffer = buffers_[access - 2];
    buffers_[access - 2].original = buffer.original = nullptr;  // the kernel may write there
    buffer.is_shared = true;
  } else if (!allocate(buffer, size, shift, block)) {
    refuse("out of memory");
    return false;
  }
  ++num_buffers_;
  buffer.is_output = access != 0;
  if (access == 0) {
    at_ = (at_ + 7) / 8 * 8;
    if (at_ + size > size_) {
      refuse("the call ends early");
      return false;
    }
    buffer.original = body_ + at_;
    at_ += size;
    for (uint32_t i = 0; i < buffer.count; ++i) {
      void* to = buffer.blocks != nullptr ? buffer.blocks[i] : buffer.data;
      memcpy(to, buffer.original + static_cast<size_t>(i) * buffer.bytes, buffer.bytes);
    }
  }
  record.data = buffer.data;
  record.blocks = buffer.blocks;
  record.num_blocks = buffer.count;
  return true;
}

bool CallReader::fits() {
  if (at_ != size_) refuse("the call has more than the kernel's arguments");
  return message_[0] == 0;
}

bool CallReader::returned(uint32_t status) {
  if (status == 0) return true;
  status_ = "error";
  code_ = status;
  snprintf(message_, sizeof message_, "the kernel returned %s", status == 1 ? "unsupported" : "an error");
  return false;
}

/// Tensors are numbered in the order of the arguments; Python puts their names in.
void CallReader::check() {
  for (uint32_t t = 0; t < num_buffers_; ++t) {
    const Buffer& buffer = buffers_[t];
    for (uint32_t i = 0; i < buffer.count; ++i) {
      const uint8_t* data = buffer.data + static_cast<size_t>(i) * buffer.stride;
      const uint32_t before = broken(data - kGuard), after = broken(data + buffer.bytes);
      if (before == kGuard && after == kGuard) continue;
      const bool behind = after != kGuard;
      status_ = "guard";
      snprintf(message_, sizeof message_, "{%u}: written %u bytes %s its %s", t, behind ? after + 1 : kGuard - before,
               behind ? "behind" : "before", buffer.blocks != nullptr ? "block" : behind ? "end" : "start");
      return;
    }
    if (buffer.original == nullptr) continue;
    for (uint32_t i = 0; i < buffer.count; ++i) {
      const void* data = buffer.blocks != nullptr ? buffer.blocks[i] : buffer.data;
      if (memcmp(data, buffer.original + static_cast<size_t>(i) * buffer.bytes, buffer.bytes) == 0) continue;
      status_ = "guard";
      snprintf(message_, sizeof message_, "{%u}: the kernel wrote into an input", t);
      return;
    }
  }
}

bool CallReader::report(int results, int out, uint32_t number, size_t* written) {
  char text[512];
  int size = snprintf(text, sizeof text, "{\"case\": %u, \"status\": \"%s\", \"stage\": \"execute\", \"code\": %u, \"message\": \"%s\", ", number, status_, code_, message_);
  if (!opkg_write_all(results, text, static_cast<size_t>(size)) || !opkg_write_all(results, "\"outputs\": [", 12)) return false;
  const bool ran = strcmp(status_, "ok") == 0;
  bool first = true;
  for (uint32_t t = 0; ran && t < num_buffers_; ++t) {
    const Buffer& buffer = buffers_[t];
    if (!buffer.is_output) continue;
    for (uint32_t i = 0; i < buffer.count; ++i) {
      if (!opkg_write_all(out, buffer.blocks != nullptr ? buffer.blocks[i] : buffer.data, buffer.bytes)) return false;
    }
    const uint32_t bytes = buffer.count * buffer.bytes;
    size = snprintf(text, sizeof text, "%s{\"name\": \"%u\", \"offset\": %u, \"size\": %u}", first ? "" : ", ", t, static_cast<uint32_t>(*written), bytes);
    if (!opkg_write_all(results, text, static_cast<size_t>(size))) return false;
    *written += bytes;
    first = false;
  }
  return opkg_write_all(results, "]}\n", 3) != 0;
}

namespace {

const char* option(int argc, char** argv, const char* name) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (strcmp(argv[i], name) == 0) return argv[i + 1];
  }
  return "";
}

uint32_t number_in(const char* text) {
  uint32_t value = 0;
  for (; *text >= '0' && *text <= '9'; ++text) value = value * 10 + static_cast<uint32_t>(*text - '0');
  return value;
}

}  // namespace

int run_calls(int argc, char** argv, bool (*dispatch)(uint32_t kernel, CallReader& call)) {
  const int calls = opkg_open(option(argc, argv, "--calls"), kOpenRead);
  const int results = opkg_open(option(argc, argv, "--results"), kOpenAppend);
  const int out = opkg_open(option(argc, argv, "--out"), kOpenAppend);
  uint32_t head[2];
  if (calls < 0 || results < 0 || out < 0 || !read_all(calls, head, sizeof head) || head[0] != 0x474b504f || head[1] != 1) {
    printf("cannot read the calls or write the results\n");
    return 2;
  }
  const uint32_t from = number_in(option(argc, argv, "--from"));
  static CallReader call;
  size_t written = 0;
  uint32_t size;
  for (uint32_t number = 0; read_all(calls, &size, sizeof size); ++number) {
    if (!call.load(calls, size)) return 2;
    if (number < from) continue;
    if (!dispatch(call.kernel_, call)) call.refuse("no such kernel");
    if (call.num_buffers_ != 0) call.check();
    if (!call.report(results, out, number, &written)) return 2;
  }
  return 0;
}

}  // namespace hexagon
}  // namespace opkg

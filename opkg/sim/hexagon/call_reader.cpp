// The calls of a file, run one after the other.
// SPDX-License-Identifier: Apache-2.0
#include "call_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system.h"

/// The same object as the kernels' (opkg/paths.h).
extern "C" __attribute__((weak)) uint64_t opkg_paths[2];
uint64_t opkg_paths[2];

namespace opkg {
namespace hexagon {

constexpr uint32_t kGuard = 256;        // bytes between blocks, and most of those that are looked at around a tensor
constexpr uint32_t kBlockBytes = 2048;  // of a crouton
constexpr uint32_t kLine = 128;
constexpr uint8_t kUnwritten[] = {0xcd, 0x3c, 0x5a};  // what outputs hold before the kernel runs, by turn
constexpr uint32_t kConstant = 0xffffffff;            // access of an input that never changes

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

namespace {

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

CallReader* g_current = nullptr;

const char* const kWhich[] = {"", " (second call: other data, at the ends of pages)", " (third call: the first data, misaligned)"};

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

/// Guard bytes in front of and behind a block: those between blocks belong to the one in front of them.
static uint32_t front(const CallReader::Buffer& buffer, uint32_t block) { return block == 0 ? buffer.before : 0; }
static uint32_t rear(const CallReader::Buffer& buffer, uint32_t block) {
  return block + 1 < buffer.count ? buffer.stride - buffer.bytes : buffer.after;
}

bool CallReader::load(int file, uint32_t size) {
  if (size > room_) {
    free(body_);
    room_ = size;
    body_ = static_cast<char*>(malloc(size));
    if (body_ == nullptr) return false;
  }
  if (buffers_ == nullptr) buffers_ = static_cast<Buffer*>(calloc(kMostBuffers, sizeof(Buffer)));
  if (regions_ == nullptr) regions_ = static_cast<Region*>(calloc(kMostBuffers, sizeof(Region)));
  begin(Turn::first);
  differs_ = false;
  opkg_paths[0] = opkg_paths[1] = 0;
  paths_[0] = paths_[1] = 0;
  report_[0] = 0;
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

/// The tensors of the turn before are given up; the arguments begin behind kernel and slices.
void CallReader::begin(Turn turn) {
  for (uint32_t i = 0; i < num_buffers_; ++i) {
    if (!buffers_[i].is_shared) free(buffers_[i].blocks);
  }
  num_buffers_ = 0;
  turn_ = turn;
  at_ = 2 * sizeof(uint32_t);
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
  return place(record, access, size, shift, kind == 2 ? kBlockBytes : 0, static_cast<uint32_t>(element));
}

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

/// The list of outputs under a key, from what was kept.
bool CallReader::outputs(int results, int out, const char* key, const char* from, size_t* written) {
  char text[160];
  int size = snprintf(text, sizeof text, ", \"%s\": [", key);
  if (!opkg_write_all(results, text, static_cast<size_t>(size))) return false;
  bool first = true;
  for (uint32_t t = 0; from != nullptr && t < num_buffers_; ++t) {
    const Buffer& buffer = buffers_[t];
    if (!buffer.is_output) continue;
    const uint32_t bytes = buffer.count * buffer.bytes;
    if (!opkg_write_all(out, from, bytes)) return false;
    size = snprintf(text, sizeof text, "%s{\"name\": \"%u\", \"offset\": %u, \"size\": %u}", first ? "" : ", ", t, static_cast<uint32_t>(*written), bytes);
    if (!opkg_write_all(results, text, static_cast<size_t>(size))) return false;
    from += bytes;
    *written += bytes;
    first = false;
  }
  return opkg_write_all(results, "]", 1) != 0;
}

bool CallReader::report(int results, int out, uint32_t number, size_t* written) {
  char text[1024];
  int size = snprintf(text, sizeof text, "{\"case\": %u, \"status\": \"%s\", \"stage\": \"execute\", \"code\": %u, \"message\": \"%s\", \"report\": \"%s\", \"vector\": %llu, \"portable\": %llu",
                      number, status_, code_, message_, report_, static_cast<unsigned long long>(paths_[0]), static_cast<unsigned long long>(paths_[1]));
  if (!opkg_write_all(results, text, static_cast<size_t>(size))) return false;
  const bool ran = strcmp(status_, "ok") == 0;
  if (!outputs(results, out, "outputs", ran ? kept_[0] : nullptr, written)) return false;
  if (ran && differs_ && !outputs(results, out, "again", kept_[1], written)) return false;
  return opkg_write_all(results, "}\n", 2) != 0;
}

/// Reports an access to memory that is not there and ends the program; it is started again behind this call.
void CallReader::fault(uintptr_t address) {
  status_ = "crash";
  code_ = 11;
  snprintf(message_, sizeof message_, "SIGSEGV: access to memory that is not there%s", kWhich[static_cast<int>(turn_)]);
  for (uint32_t t = 0; t < num_buffers_; ++t) {
    const Buffer& buffer = buffers_[t];
    if (buffer.is_shared || !regions_[t].guards(address)) continue;
    const long offset = static_cast<long>(address - reinterpret_cast<uintptr_t>(buffer.data));
    status_ = "guard";
    snprintf(message_, sizeof message_, "{%u}: access at byte offset %ld, %s%s", t, offset, offset < 0 ? "before its start" : "past its end", kWhich[static_cast<int>(turn_)]);
  }
  size_t written = 0;
  report(results_, -1, number_, &written);
  opkg_exit(4);
}

void CallReader::on_fault_in(uintptr_t address) { g_current->fault(address); }

void CallReader::on_misaligned_in(const char* file, uint32_t line, uint32_t column, uint32_t kind, uint32_t alignment) {
  if (g_current->report_[0] != 0) return;  // the first one will do
  snprintf(g_current->report_, sizeof g_current->report_, "%s:%u:%u: runtime error: %s of an address that is no multiple of %u", file, line, column,
           kind == 1 ? "store" : "load", alignment);
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
  static CallReader call;
  const int calls = opkg_open(option(argc, argv, "--calls"), kOpenRead);
  const int results = opkg_open(option(argc, argv, "--results"), kOpenAppend);
  const int out = opkg_open(option(argc, argv, "--out"), kOpenAppend);
  uint32_t head[2];
  if (calls < 0 || results < 0 || out < 0 || !read_all(calls, head, sizeof head) || head[0] != 0x474b504f || head[1] != 1) {
    printf("cannot read the calls or write the results\n");
    return 2;
  }
  call.results_ = results;
  g_current = &call;
  on_fault(CallReader::on_fault_in);
  on_misaligned(CallReader::on_misaligned_in);
  const uint32_t from = number_in(option(argc, argv, "--from"));
  size_t written = 0;
  uint32_t size;
  for (uint32_t number = 0; read_all(calls, &size, sizeof size); ++number) {
    if (!call.load(calls, size)) return 2;
    if (number < from) continue;
    call.number_ = number;
    if (!dispatch(call.kernel_, call)) call.refuse("no such kernel");
    if (!call.report(results, out, number, &written)) return 2;
  }
  return 0;
}

}  // namespace hexagon
}  // namespace opkg

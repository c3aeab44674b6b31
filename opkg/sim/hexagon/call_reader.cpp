// The calls of a file, run one after the other; call_buffers.cpp has the memory of their tensors.
// SPDX-License-Identifier: Apache-2.0
#include "call_buffers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system.h"

namespace opkg {
namespace hexagon {

constexpr uint32_t kBlockBytes = 2048;  // of a crouton

namespace {

CallReader* g_current = nullptr;

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

bool CallReader::blocks_follow() const {
  uint32_t kind = 0;
  if (at_ + sizeof kind <= size_) memcpy(&kind, body_ + at_, sizeof kind);
  return kind == 2;
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

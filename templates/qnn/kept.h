// What a prepared graph keeps of a kernel: everything of its calls that does not change from one to the next.
//
// Precomputation writes it into a buffer of the runtime's (Keeper); a call gets that buffer and asks where its tensors are
// (run). The buffer has any content and any alignment before; afterwards it is only read, by any number of threads.
#ifndef OPKG_KEPT_H_
#define OPKG_KEPT_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "opkg/fetch.h"
#include "opkg/kernel.h"
#include "opkg/small.h"

struct QHPI_Tensor;

namespace opkg {

/// Where a tensor is now: the data of a flat one, the table of one in blocks. Kept views have its handle as their pointer.
/// The functions are the runtime's own.
struct Memory {
  using Handle = const QHPI_Tensor*;

  void* (*raw_data)(Handle);
  void** (*block_table)(Handle);

  void* data(const void* handle) const { return raw_data(static_cast<Handle>(handle)); }
  void* const* blocks(const void* handle) const { return block_table(static_cast<Handle>(handle)); }
};

/// One of the calls that a buffer holds. Results of several computations are calls one after the other.
struct KeptCall {
  using Run = Status (*)(const KeptCall& call, const Memory& memory, Slice slice);
  static constexpr uint32_t kMostStreams = 4;

  /// Room in a buffer.
  static void* operator new(size_t bytes, class Keeper& keeper);

  const KeptCall* self = nullptr;  ///< tells a buffer that was moved
  Run run = nullptr;               ///< of a buffer with several calls, the first one's runs all of them
  Run alone = nullptr;             ///< the call itself
  Run part = nullptr;              ///< of a call with streams, whose `run` fetches
  const KeptCall* next = nullptr;
  uint32_t slices = 1;        ///< that have something to do, at most
  uint32_t alone_slices = 1;  ///< the same of the call itself
  uint32_t num_streams = 0;
  Stream streams[kMostStreams];  ///< large inputs in DDR, by their handles

  void add(const Stream& stream) {
    const bool pays = stream.bytes > kFetched && stream.unit < kFetched;
    if (pays && num_streams < kMostStreams) streams[num_streams++] = stream;
  }
};

constexpr size_t kKeptAlignment = 128;  // of tables

constexpr size_t kept_round(size_t bytes) { return (bytes + kKeptAlignment - 1) / kKeptAlignment * kKeptAlignment; }

inline uintptr_t kept_place(const void* data) {
  return (reinterpret_cast<uintptr_t>(data) + kKeptAlignment - 1) & ~static_cast<uintptr_t>(kKeptAlignment - 1);
}

/// Bytes of a buffer for some calls.
template <typename... Calls>
constexpr uint32_t kept_bytes() {
  return static_cast<uint32_t>((kept_round(sizeof(Calls)) + ... + kKeptAlignment));
}

/// Bytes of a buffer for any of several choices.
template <uint32_t... kBytes>
constexpr uint32_t kept_most() {
  uint32_t most = 0;
  for (const uint32_t bytes : {kBytes...}) most = bytes > most ? bytes : most;
  return most;
}

/// Writes calls into a buffer: `keeper.add(new (keeper) Call(...))`.
class Keeper {
 public:
  explicit Keeper(void* data) : at_(kept_place(data)) {}

  void* room(size_t bytes) {
    void* const place = reinterpret_cast<void*>(at_);
    at_ += kept_round(bytes);
    return place;
  }

  void add(KeptCall* call);

 private:
  uintptr_t at_;
  KeptCall* first_ = nullptr;
  KeptCall* last_ = nullptr;
};

inline void* KeptCall::operator new(size_t bytes, Keeper& keeper) { return keeper.room(bytes); }

/// Runs a slice in parts; what a part reads of inputs in DDR is fetched while the one in front of it is computed.
OPKG_SMALL inline Status run_parts(const KeptCall& call, const Memory& memory, Slice slice) {
  Stream streams[KeptCall::kMostStreams];
  size_t most = 0;
  for (uint32_t i = 0; i < call.num_streams; ++i) {
    streams[i] = call.streams[i];
    streams[i].place = memory.data(streams[i].place);
    most = streams[i].bytes > most ? streams[i].bytes : most;
  }
  uint32_t parts = 1;
  while (most > parts * slice.count * kFetched) parts *= 2;
  Slice part = {slice.index * parts, slice.count * parts};
  const uint32_t end = part.index + parts;
  for (uint32_t i = 0; i < call.num_streams; ++i) fetch(streams[i], part);
  for (;;) {
    const Slice now = part;
    ++part.index;
    for (uint32_t i = 0; i < call.num_streams && part.index != end; ++i) fetch(streams[i], part);
    const Status status = call.part(call, memory, now);
    if (status != Status::ok || part.index == end) return status;
  }
}

/// Runs what a slice of the backend's has to do of a call that has so many slices.
inline Status run_slice(KeptCall::Run run, const KeptCall& call, const Memory& memory, Slice slice, uint32_t slices) {
  if (slice.count > slices) slice.count = slices;
  return slice.index < slice.count ? run(call, memory, slice) : Status::ok;
}

/// Runs a call and those behind it.
inline Status run_several(const KeptCall& first, const Memory& memory, Slice slice) {
  Status status = Status::ok;
  for (const KeptCall* call = &first; status == Status::ok && call != nullptr; call = call->next) {
    status = run_slice(call->alone, *call, memory, slice, call->alone_slices);
  }
  return status;
}

inline void Keeper::add(KeptCall* call) {
  call->self = call;
  if (call->num_streams != 0) call->part = call->run, call->run = &run_parts;
  call->alone = call->run, call->alone_slices = call->slices;
  if (last_ == nullptr) {
    first_ = call;
  } else {
    last_->next = call;
    first_->run = &run_several, first_->slices = UINT32_MAX;
  }
  last_ = call;
}

/// The first call of a buffer.
inline const KeptCall* kept_call(const void* data) { return reinterpret_cast<const KeptCall*>(kept_place(data)); }

/// Runs the calls of a buffer, or a slice of them. What most calls do not need stands in no other's way.
inline Status run(const KeptCall* call, const Memory& memory) {
  if (__builtin_expect(call->self != call, 0)) return Status::error;
  return call->run(*call, memory, Slice{});
}
__attribute__((noinline)) inline Status run(const KeptCall* call, const Memory& memory, Slice slice) {
  if (call->self != call) return Status::error;
  return run_slice(call->run, *call, memory, slice, call->slices);
}
inline Status run(const void* data, const Memory& memory, Slice slice) { return run(kept_call(data), memory, slice); }

}  // namespace opkg

#endif  // OPKG_KEPT_H_

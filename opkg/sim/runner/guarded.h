// Buffers for kernels: unreadable pages on both sides of every part, canary bytes where a part does not fill its pages.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_GUARDED_H_
#define OPKG_RUNNER_GUARDED_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace opkg {

// Where a part lies in its pages. A kernel may read whole lines of 128 bytes that hold an element of a tensor, as HVX
// loads do; in each of these places such a line is readable, and the one beyond it is not.
enum class Place {
  kStart,    // the first byte begins a page: nothing before it can be touched; aligned to 2048 bytes as TCM buffers are
  kLineEnd,  // the line with the last byte ends a page; aligned to 128 bytes
  kByteEnd,  // the last byte ends a page, one element before that where the size is a multiple of 128: misaligned
};

// One allocation of `parts` equal parts (one for direct tensors, one per block for indirect ones).
class GuardedBuffer {
 public:
  GuardedBuffer() = default;
  GuardedBuffer(const char* name, size_t part_size, size_t parts = 1, Place place = Place::kStart, size_t element = 1);
  ~GuardedBuffer();
  GuardedBuffer(GuardedBuffer&& other) noexcept;
  GuardedBuffer& operator=(GuardedBuffer&& other) noexcept;

  uint8_t* part(size_t index = 0) const { return first_ + index * stride_; }
  size_t partSize() const { return part_size_; }
  size_t parts() const { return parts_; }
  const char* name() const { return name_.c_str(); }

  void fill(uint8_t value) const;

  // False, and what happened, when a canary byte has changed: tensor, byte offset and side.
  bool check(std::string* message) const;

 private:
  bool checkGap(size_t part, bool before, std::string* message) const;

  std::string name_;
  uint8_t* mapping_ = nullptr;
  size_t mapping_size_ = 0;
  uint8_t* first_ = nullptr;
  size_t part_size_ = 0, parts_ = 0, stride_ = 0;
  size_t before_ = 0, after_ = 0;  // canary bytes of each part
};

}  // namespace opkg

#endif  // OPKG_RUNNER_GUARDED_H_

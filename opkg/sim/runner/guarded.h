// Buffers for kernels: canary bytes on both sides of every part, unreadable pages beyond them.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_RUNNER_GUARDED_H_
#define OPKG_RUNNER_GUARDED_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace opkg {

// One allocation of `parts` equal parts (one for direct tensors, one per block for indirect ones), each
// aligned to 2048 bytes as TCM buffers are, each with at least 1 KiB of canary bytes before and after it.
class GuardedBuffer {
 public:
  GuardedBuffer() = default;
  GuardedBuffer(const char* name, size_t part_size, size_t parts = 1);
  ~GuardedBuffer();
  GuardedBuffer(GuardedBuffer&& other) noexcept;
  GuardedBuffer& operator=(GuardedBuffer&& other) noexcept;

  uint8_t* part(size_t index = 0) const { return first_ + index * stride_; }
  size_t partSize() const { return part_size_; }
  size_t parts() const { return parts_; }

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
};

}  // namespace opkg

#endif  // OPKG_RUNNER_GUARDED_H_

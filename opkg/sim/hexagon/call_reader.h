// Reads the calls of a file, gives their tensors guarded memory, makes each call three times, and writes what came of it.
//
// The file: "OPKG" and version 1 as two words, then calls, each the number of its bytes and as many bytes: the kernel's
// number, the number of slices (0: the op has none), then what the op's argument struct holds, in order:
//
//   absent   0
//   tensor   1 access rank dims[6] scale zero bytes shift, then for inputs the elements
//   blocks   2 access dims[4] padded[4] scale zero bytes shift, then for inputs the blocks of 2 KB
//   list     3 count, then that many tensors
//   scalar   4 and 8 bytes
//
// Numbers are words of 4 bytes, the lowest first; data starts at a multiple of 8. Access: 0 input, 1 output, 2 + i: an
// output in the memory of the i-th tensor, 0xffffffff an input that never changes. Shift: bytes by which the data misses a
// multiple of 128 in the third turn; 0: as many as its size does.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_SIM_HEXAGON_CALL_READER_H_
#define OPKG_SIM_HEXAGON_CALL_READER_H_

#include <stddef.h>
#include <stdint.h>

#include "region.h"

namespace opkg {
namespace hexagon {

/// A tensor as the file describes it, with its memory.
struct TensorRecord {
  void* data = nullptr;
  void** blocks = nullptr;  // of a tensor in blocks
  uint32_t num_blocks = 0;
  uint32_t rank = 0;
  uint32_t dims[6] = {};
  uint32_t padded[4] = {};
  float scale = 1.0f;
  int32_t zero = 0;
};

/// One call after the other.
class CallReader {
 public:
  /// What a call is made with: `first` as the file says, tensors at the beginnings of pages; `other` with the elements of
  /// the inputs in reverse order, `again` with the first data, misaligned; in both tensors lie at the ends of pages.
  enum class Turn { first, other, again };
  static constexpr Turn kTurns[] = {Turn::first, Turn::other, Turn::again};

  /// Begins a turn: the arguments can be read again.
  void begin(Turn turn);

  /// Looks at what the kernel did in this turn; false when the call is over.
  bool finish();

  /// Whether the next argument is a tensor in blocks.
  bool blocks_follow() const;

  /// The next argument: a flat tensor (`kind` 1) or one in blocks (2). False when it is absent or does not fit.
  bool tensor(uint32_t kind, size_t element, TensorRecord& record);

  /// The next argument: how many tensors follow.
  uint32_t list(uint32_t capacity);

  /// The next argument: the bits of a scalar.
  uint64_t scalar();

  /// Whether the call was read to its end and all of it fitted.
  bool fits();

  /// Number of slices in which the kernel is to be called.
  uint32_t slices() const { return slices_ > 0 ? slices_ : 1; }

  struct Buffer;

  /// Takes what a kernel returned; false: it failed.
  bool returned(uint32_t status);

 private:
  friend int run_calls(int argc, char** argv, bool (*dispatch)(uint32_t kernel, CallReader& call));

  bool load(int file, uint32_t size);
  void fault(uintptr_t address);
  static void on_fault_in(uintptr_t address);
  static void on_misaligned_in(const char* file, uint32_t line, uint32_t column, uint32_t kind, uint32_t alignment);
  uint32_t word();
  void refuse(const char* why);
  bool place(TensorRecord& record, uint32_t access, uint32_t size, uint32_t shift, uint32_t block, uint32_t element);
  bool check();
  bool report(int results, int out, uint32_t number, size_t* written);
  bool outputs(int results, int out, const char* key, const char* from, size_t* written);

  bool allocate(Buffer& buffer, uint32_t size, uint32_t shift, uint32_t block, uint32_t element);
  void copy_in(const Buffer& buffer, uint32_t size, uint32_t element, bool reversed);
  static constexpr uint32_t kMostBuffers = 256;

  char* body_ = nullptr;
  size_t room_ = 0;
  size_t size_ = 0;
  size_t at_ = 0;
  uint32_t kernel_ = 0;
  uint32_t slices_ = 0;
  Buffer* buffers_ = nullptr;
  Region* regions_ = nullptr;  // of the buffers, kept from call to call
  uint32_t num_buffers_ = 0;
  Turn turn_ = Turn::first;
  char* kept_[2] = {};  // outputs of the first and of the last turn, one after the other
  size_t kept_room_[2] = {};
  size_t kept_size_ = 0;
  bool differs_ = false;
  uint64_t paths_[2] = {};  // elements of the first turn by vector code and by portable code
  uint32_t number_ = 0;
  int results_ = -1;
  char report_[512] = {};  // of misaligned accesses
  const char* status_ = "ok";
  uint32_t code_ = 0;
  char message_[160] = {};
};

/// main() of a generated program: `dispatch` runs a kernel by its number, false when there is none.
int run_calls(int argc, char** argv, bool (*dispatch)(uint32_t kernel, CallReader& call));

}  // namespace hexagon
}  // namespace opkg

#endif  // OPKG_SIM_HEXAGON_CALL_READER_H_

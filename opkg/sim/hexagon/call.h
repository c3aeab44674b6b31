// Binds a call to the argument struct of a kernel and runs it. Included by the generated program of a package, which has opkg/kernel.h.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_SIM_HEXAGON_CALL_H_
#define OPKG_SIM_HEXAGON_CALL_H_

#include <string.h>

#include "call_reader.h"
#include "opkg/kernel.h"

namespace opkg {
namespace hexagon {

/// One call: `bind` each member of the argument struct in order.
class Call {
 public:
  explicit Call(CallReader& reader) : reader_(reader) {}

  template <typename T>
  void bind(Tensor<T>& view) {
    TensorRecord record;
    view.in_blocks = reader_.blocks_follow();
    if (!reader_.tensor(view.in_blocks ? 2 : 1, sizeof(T), record)) return;
    view.data = static_cast<T*>(view.in_blocks ? static_cast<void*>(record.blocks) : record.data);
    view.in_ddr = !view.in_blocks;  // what precomputation keeps of large tensors is fetched
    describe(view, record);
  }

  template <typename T>
  void bind(Crouton<T>& view) {
    TensorRecord record;
    if (!reader_.tensor(2, sizeof(T), record)) return;
    view.blocks = reinterpret_cast<T* const*>(record.blocks);
    view.num_blocks = record.num_blocks;
    memcpy(view.padded, record.padded, sizeof view.padded);
    describe(view, record);
  }

  template <typename View, uint32_t kCapacity>
  void bind(List<View, kCapacity>& views) {
    views.count = reader_.list(kCapacity);
    for (uint32_t i = 0; i < views.count; ++i) bind(views.items[i]);
  }

  void bind(float& value) {
    const uint32_t bits = static_cast<uint32_t>(reader_.scalar());
    memcpy(&value, &bits, sizeof value);
  }

  /// Integers, bools and enumerations.
  template <typename T>
  void bind(T& value) {
    value = static_cast<T>(static_cast<int64_t>(reader_.scalar()));
  }

  void bind(Slice& slice) { slice_ = &slice; }

  /// Runs a kernel, turn by turn and slice by slice, on the arguments that `bind_all(op, call)` reads into a new struct.
  template <typename Args, typename Bind>
  void run(Status (*kernel)(const Args&), Bind bind_all) {
    turns<Args>([](const Args&) {}, bind_all, [&](const Args& op, Slice) { return kernel(op); });
  }

  /// prepare(op) once a turn, kernel(op, slice) for each slice.
  template <typename Args, typename Prepare, typename Bind, typename Kernel>
  void turns(Prepare prepare, Bind bind_all, Kernel kernel) {
    for (const CallReader::Turn turn : CallReader::kTurns) {
      reader_.begin(turn);
      Args op = {};
      bind_all(op, *this);
      if (!reader_.fits()) return;
      prepare(op);
      const uint32_t count = reader_.slices();
      for (uint32_t i = count; i-- > 0;) {  // the last one first: slices must not need each other
        if (slice_ != nullptr) *slice_ = {i, count};
        if (!reader_.returned(static_cast<uint32_t>(kernel(op, Slice{i, count})))) return;
      }
      if (!reader_.finish()) return;
    }
  }

 private:
  template <typename View>
  static void describe(View& view, const TensorRecord& record) {
    view.rank = record.rank;
    memcpy(view.dims, record.dims, sizeof view.dims);
    view.scale = record.scale;
    view.zero = record.zero;
  }

  CallReader& reader_;
  Slice* slice_ = nullptr;
};

}  // namespace hexagon
}  // namespace opkg

#endif  // OPKG_SIM_HEXAGON_CALL_H_

// Parts of tensors amid a number: what lies around them is filled, in slices of what is computed.
#ifndef OPKG_SEEN_AROUND_H_
#define OPKG_SEEN_AROUND_H_

#include "opkg/rows_seen.h"

namespace opkg {

/// What the elements of a tensor are that no part of it has.
struct Filling {
  static constexpr size_t kVector = 128;

  size_t bytes = 0;  ///< of the whole tensor
  uint32_t size = 1;
  uint8_t again[kVector] = {};

  Filling() = default;
  template <typename T>
  Filling(const Tensor<T>& tensor, T value) : bytes(tensor.size() * sizeof(T)), size(sizeof(T)) {
    memcpy(again, &value, sizeof(T));
    for (size_t k = sizeof(T); k < kVector; k *= 2) memcpy(again + k, again, k);
  }

  /// Fills bytes.
  OPKG_RARE void put(uint8_t* to, size_t count) const {
#if OPKG_HVX
    const HVX_Vector v = hvx::load_unaligned(again);
    OPKG_UNROLL(1)
    for (; count >= kVector; count -= kVector, to += kVector) hvx::store_unaligned(to, v);
    if (count != 0) hvx::store_some(to, count, v);
#else
    for (; count >= kVector; count -= kVector, to += kVector) memcpy(to, again, kVector);
    memcpy(to, again, count);
#endif
  }
};

namespace rowwise {

/// What lies between the runs of a part of a flat tensor whose elements are in the tensor's order.
class Around {
 public:
  OPKG_SMALL Around(const SeenOperand& part, const Filling& filling) : filling_(filling), first_(part.first), run_(filling.size) {
    for (uint32_t k = part.base.rank; k-- > 0;) {
      const size_t extent = part.base.dims[k];
      runs_ *= extent;
      if (extent == 1) continue;
      if (rank_ == 0 && part.steps[k] == static_cast<intptr_t>(run_)) {
        run_ *= extent, runs_ = 1;
        continue;
      }
      extents_[rank_] = extent;
      steps_[rank_++] = static_cast<size_t>(part.steps[k]);
    }
  }

  /// Fills what lies in front of the runs of a slice, and behind the last one. Runs that are short are written later.
  OPKG_RARE void fill(uint8_t* data, const Cut& cut) const {
    const size_t first = (cut.begin * runs_ + cut.of - 1) / cut.of, last = (cut.end * runs_ + cut.of - 1) / cut.of;
    size_t at[kMaxRank] = {}, done = 0, next = static_cast<size_t>(first_);
    if (first != 0) {
      begin(first - 1, at, next);
      done = next + run_;
      step(at, next);
    }
    for (size_t k = first; k < last; ++k) {
      const bool apart = run_ >= kTiny;
      if (apart || k + 1 == last) put(data, done, apart ? next : next + run_);
      if (apart || k + 1 == last) done = next + run_;
      step(at, next);
    }
    if (cut.begin < cut.end && cut.end == cut.of) put(data, done, filling_.bytes);
  }
  void fill_all(uint8_t* data) const { put(data, 0, filling_.bytes); }

 private:
  static constexpr size_t kTiny = 64;

  void put(uint8_t* data, size_t from, size_t to) const {
    if (from < to) filling_.put(data + from, to - from);
  }

  void begin(size_t run, size_t* at, size_t& place) const {
    for (uint32_t k = 0; k < rank_; run /= extents_[k++]) {
      at[k] = run % extents_[k];
      place += at[k] * steps_[k];
    }
  }
  void step(size_t* at, size_t& place) const {
    for (uint32_t k = 0; k < rank_; ++k) {
      place += steps_[k];
      if (++at[k] < extents_[k]) break;
      place -= extents_[k] * steps_[k];
      at[k] = 0;
    }
  }

  Filling filling_;
  intptr_t first_;
  size_t run_, runs_ = 1;  ///< bytes of one, and how many
  uint32_t rank_ = 0;
  size_t extents_[kMaxRank] = {};  ///< the last dimension first
  size_t steps_[kMaxRank] = {};
};

}  // namespace rowwise

/// As elementwise_seen(), and fills what lies around the output.
template <typename Rows>
Status elementwise_amid(const Rows& rows, bool vectors, std::initializer_list<SeenOperand> inputs, std::initializer_list<SeenOperand> outputs,
                        const Filling& filling, Slice slice = Slice{}) {
  if (slice.index != 0) return Status::ok;
  const SeenOperand& part = *outputs.begin();
  const rowwise::Around around(part, filling);
  if (part.valid && part.base.size() == 0) around.fill_all(part.base.data);
  if (part.valid && part.base.size() != 0) around.fill(part.base.data, {0, 1, 1});
  return elementwise_seen(rows, vectors, inputs, outputs);
}

}  // namespace opkg

#endif  // OPKG_SEEN_AROUND_H_

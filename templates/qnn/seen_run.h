// Parts of tensors that lie alike in all operands (the halves of a rotary embedding, real and imaginary parts of pairs): computed as one
// run over all that lies between, of which a sieve writes the parts. Nothing is brought together.
#ifndef OPKG_SEEN_RUN_H_
#define OPKG_SEEN_RUN_H_

#include <algorithm>

#include "opkg/hvx_route.h"
#include "opkg/seen_buffers.h"

namespace opkg {

namespace rowwise {

/// Writes the first `width` bytes of each `pitch` of a run that begins with a row.
class Sieve {
 public:
  Sieve() = default;
  OPKG_RARE Sieve(size_t width, size_t pitch) : width_(width), pitch_(pitch) {
#if OPKG_HVX
    while (pitch >> unit_ > hvx::kBytes && unit_ < 3 && ((width | pitch) >> unit_ & 1) == 0) ++unit_;
    period_ = static_cast<int32_t>(pitch >> unit_);
    if (pitch >> unit_ > hvx::kBytes) return;
    most_ = period_;
    while (most_ < 128) most_ *= 2;
    places_ = Q6_Vub_vlsr_VubR(hvx::byte_numbers(), unit_);
    for (int32_t times = most_; times >= period_; times /= 2) places_ = next(places_, Q6_V_vzero(), Q6_Vb_vsplat_R(times));
    further_ = beyond(128 >> unit_);
#endif
  }

  /// 128 bytes in front of the run and behind it are read, too.
  __attribute__((noinline)) void write(uint8_t* to, const uint8_t* run, size_t rows) const {
#if OPKG_HVX
    const size_t lead = reinterpret_cast<uintptr_t>(to) % hvx::kBytes;
    if (most_ != 0 && (lead & ((1u << unit_) - 1)) == 0) return write(to - lead, run - lead, lead, lead + (rows - 1) * pitch_ + width_);
#endif
    copy_pieces(to, run, static_cast<intptr_t>(rows), static_cast<intptr_t>(pitch_), static_cast<intptr_t>(pitch_), width_);
  }

 private:
#if OPKG_HVX
  /// Lines of which the bytes from `lead` to `end` are a run.
  OPKG_INLINE void write(uint8_t* to, const uint8_t* run, size_t lead, size_t end) const {
    auto* line = reinterpret_cast<HVX_Vector*>(to);
    const HVX_Vector wide = Q6_Vb_vsplat_R(static_cast<int32_t>(width_ >> unit_)), period = Q6_Vb_vsplat_R(period_);
    HVX_Vector place = next(places_, Q6_Vb_vsplat_R(period_ - beyond(static_cast<int32_t>(lead >> unit_))), period);
    HVX_VectorPred kept = Q6_Q_vcmp_gt_VubVub(wide, place);
    const HVX_VectorPred mine = Q6_Q_and_QQn(kept, Q6_Q_vsetq_R(static_cast<int32_t>(lead))), until = Q6_Q_vsetq2_R(static_cast<int32_t>(end));
    const size_t behind = (end - 1) / hvx::kBytes;  // lines behind the first one
    if (behind == 0) return Q6_vmem_QRIV(Q6_Q_and_QQ(mine, until), line, hvx::load_unaligned(run));
    Q6_vmem_QRIV(mine, line++, hvx::load_unaligned(run));
    run += hvx::kBytes;
    if (further_ == 0) {
      OPKG_UNROLL(4)
      for (size_t i = behind; --i != 0; run += hvx::kBytes) Q6_vmem_QRIV(kept, line++, hvx::load_unaligned(run));
    } else {
      place = next(place, Q6_Vb_vsplat_R(further_), period);
      const HVX_Vector two = Q6_Vb_vsplat_R(beyond(2 * further_));
      HVX_Vector second = next(place, Q6_Vb_vsplat_R(further_), period);
      if (behind % 2 == 0) {
        Q6_vmem_QRIV(Q6_Q_vcmp_gt_VubVub(wide, place), line++, hvx::load_unaligned(run));
        run += hvx::kBytes, place = second, second = next(place, Q6_Vb_vsplat_R(further_), period);
      }
      OPKG_UNROLL(1)
      for (size_t i = (behind - 1) / 2; i != 0; --i, line += 2, run += 2 * hvx::kBytes) {
        Q6_vmem_QRIV(Q6_Q_vcmp_gt_VubVub(wide, place), line, hvx::load_unaligned(run));
        Q6_vmem_QRIV(Q6_Q_vcmp_gt_VubVub(wide, second), line + 1, hvx::load_unaligned(run + hvx::kBytes));
        place = next(place, two, period), second = next(second, two, period);
      }
      kept = Q6_Q_vcmp_gt_VubVub(wide, place);
    }
    Q6_vmem_QRIV(Q6_Q_and_QQ(kept, until), line, hvx::load_unaligned(run));
  }

  static OPKG_INLINE HVX_Vector next(HVX_Vector place, HVX_Vector further, HVX_Vector period) {
    const HVX_Vector found = Q6_Vb_vadd_VbVb(place, further);
    return Q6_Vub_vmin_VubVub(found, Q6_Vb_vsub_VbVb(found, period));
  }

  /// What is left of a number below 256 without whole periods.
  OPKG_INLINE int32_t beyond(int32_t x) const {
    if ((period_ & (period_ - 1)) == 0) return x & (period_ - 1);
    OPKG_UNROLL(1)
    for (int32_t times = most_; times > 0 && x >= period_; times /= 2) x -= x >= times ? times : 0;
    return x;
  }

  HVX_Vector places_ = {};  ///< of the bytes of a vector, in rows
  int32_t unit_ = 0;        ///< places are counted in so many bytes, as a power of two
  int32_t period_ = 0;      ///< places of a row,
  int32_t most_ = 0;        ///< doubled until they are 128 or more; 0: rows are too long
  int32_t further_ = 0;     ///< by how many places the next vector is further on in a row
#endif
  size_t width_ = 0, pitch_ = 0;
};

/// Each of n elements twice. Vectors behind them may be written.
inline __attribute__((noinline)) void twice(uint8_t* to, const uint8_t* from, size_t n, size_t size) {
#if OPKG_HVX
  for (size_t left = n * size; left != 0;) {
    const size_t now = std::min<size_t>(left, hvx::kBytes);
    const HVX_Vector v = hvx::load_some(from, now);
    const HVX_VectorPair both = Q6_W_vshuff_VVR(v, v, -static_cast<int32_t>(size));
    hvx::store(to, Q6_V_lo_W(both));
    hvx::store(to + hvx::kBytes, Q6_V_hi_W(both));
    left -= now, from += now, to += 2 * hvx::kBytes;
  }
#else
  for (size_t k = 0; k < 2 * n; ++k) memcpy(to + k * size, from + k / 2 * size, size);
#endif
}

/// Parts that lie alike as runs: how many rows, and where they begin. Inputs with one row for all, or one plane, come to buffers.
template <uint32_t kInputs, uint32_t kOutputs>
class SeenRun : public SeenBuffers<kInputs, kOutputs> {
  using Brought = SeenBuffers<kInputs, kOutputs>;

 public:
  using Brought::kOperands;

 protected:
  using Brought::bytes_, Brought::extents_, Brought::pitch_, Brought::rank_, Brought::same_rows_, Brought::steps_, Brought::stride_;
  using Buffers = typename Brought::Buffers;

  OPKG_SMALL SeenRun(const RowFunctions& functions, const SeenOperand* operands, size_t many) : Brought(operands, functions.step, many, functions.runs) {
    if (this->valid() && this->buffered_ != 0 && pitch_ != 0) find_run();
  }

  bool in_runs() const { return run_rows_ != 0; }
  size_t run_rows() const { return run_rows_; }
  size_t run_planes() const { return run_planes_; }
  size_t run_columns() const { return run_columns_; }

  /// Elements of a run of so many rows of n elements.
  size_t length(size_t rows, size_t n) const { return (pieces(rows, n) - 1) * apart_ + wide_; }

  /// Where a run of each operand begins; `place`: its parts. Inputs that have one row or plane are in their buffers then.
  void begin_run(uint8_t* const* place, Buffers& buffers, size_t planes, size_t rows, size_t n, uint8_t** at) const {
    uint8_t* buffer = buffers.arena + kAlignment;
    for (uint32_t i = 0; i < kOperands; ++i) {
      at[i] = place[i];
      if ((in_buffers_ >> i & 1) == 0) continue;
      const bool each = (same_rows_ >> i & 1) != 0;
      if (i >= kInputs || each || planes > 1) at[i] = buffer;
      buffer += run_room_;
      if (at[i] == place[i] || i >= kInputs) continue;
      auto& held = buffers.held[i];
      if (held.place == place[i] && held.rows >= planes * rows) continue;
      held = {place[i], n, planes * rows};
      const size_t size = bytes_[i];
      if (each) {
        spread(i, at[i], place[i]);
      } else {
        copy_pieces(at[i], place[i], 1, 0, 0, length(rows, n) * size);
      }
      again(at[i], pitch_ * size * (each ? 1 : rows), each ? planes * rows : planes);
    }
  }

  /// Writes the parts of results.
  void end_run(uint8_t* const* place, uint8_t* const* at, size_t rows, size_t n) const {
    for (uint32_t i = kInputs; i < kOperands; ++i) sieves_[i - kInputs].write(place[i], at[i], pieces(rows, n));
  }

 private:
  static constexpr size_t kSmall = 2048;  ///< bytes of planes that are joined

  /// What lies together in a run: rows, or single elements.
  size_t pieces(size_t rows, size_t n) const { return stride_ == 1 ? rows : rows * n; }

  /// The one row of an input, with what there is between the parts.
  void spread(uint32_t i, uint8_t* to, const uint8_t* from) const {
    const size_t size = bytes_[i], n = extents_[0];
    if (stride_ == 1) {
      copy_pieces(to, from, 1, 0, 0, n * size);
      again(to, n * size, parts_);
    } else if (steps_[i][0] == static_cast<intptr_t>(size)) {
      twice(to, from, n, bytes_[i]);
    } else {
      copy_pieces(to, from, 1, 0, 0, (2 * n - 1) * size);
      copy_pieces(to + (2 * n - 1) * size, from, 1, 0, 0, size);
    }
  }

  OPKG_SMALL void find_run() {
    wide_ = stride_ == 1 ? extents_[0] : 1, apart_ = stride_ == 1 ? pitch_ : stride_, parts_ = pitch_ / extents_[0] + 1;
    const auto plane = static_cast<intptr_t>(pitch_ * extents_[1]);
    bool planes = rank_ > 2;
    uint64_t same_planes = 0;
    uint32_t widest = 1;
    for (uint32_t i = 0; i < kOperands; ++i) {
      if (i < kInputs && steps_[i][2] == 0) {
        same_planes |= uint64_t{1} << i;
      } else {
        planes &= (same_rows_ >> i & 1) == 0 && steps_[i][2] == plane * static_cast<intptr_t>(bytes_[i]);
      }
      widest = std::max(widest, bytes_[i]);
    }
    const uint64_t results = ((uint64_t{1} << kOutputs) - 1) << kInputs;
    const auto most = [&](uint64_t in_buffers) {  // elements
      in_buffers_ = in_buffers | results;
      run_room_ = (Brought::kArena - kAlignment) / static_cast<size_t>(__builtin_popcountll(in_buffers_)) / kAlignment * kAlignment;
      return (run_room_ - 3 * kAlignment) / widest;
    };
    if (planes && plane * static_cast<intptr_t>(widest) <= static_cast<intptr_t>(kSmall)) {
      run_planes_ = std::max<size_t>(1, most(same_rows_ | same_planes) / pitch_ / extents_[1]);
    }
    const size_t rows = run_planes_ > 1 ? run_planes_ * extents_[1] : most(same_rows_) / pitch_;
    run_columns_ = rank_ < 2 ? most(0) / stride_ : extents_[0];
    if (rank_ > 1 && rows < (stride_ == 1 ? 2 : 1)) return;
    run_rows_ = std::max<size_t>(rows, 1);
    for (uint32_t i = kInputs; i < kOperands; ++i) sieves_[i - kInputs] = Sieve(wide_ * bytes_[i], apart_ * bytes_[i]);
  }

  size_t wide_ = 1, apart_ = 1;                             ///< elements that lie together, and from one of these to the next
  size_t parts_ = 0;                                        ///< that a row has room for, and one more
  size_t run_rows_ = 0, run_planes_ = 1, run_columns_ = 0;  ///< of a run; no rows: parts do not lie alike
  size_t run_room_ = 0;                                     ///< bytes of a buffer
  uint64_t in_buffers_ = 0;
  Sieve sieves_[kOutputs];
};

}  // namespace rowwise

}  // namespace opkg

#endif  // OPKG_SEEN_RUN_H_

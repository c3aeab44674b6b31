// Parts of short rows that lie alike in all operands (the halves of a rotary embedding): computed as one run of whole rows, of which
// a sieve writes the part. Nothing is brought together.
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

/// Whether parts lie alike, and how many rows are a run. Inputs with one row for all, or with one plane for all, come to buffers.
template <uint32_t kInputs, uint32_t kOutputs>
class SeenRun : public SeenBuffers<kInputs, kOutputs> {
  using Brought = SeenBuffers<kInputs, kOutputs>;

 public:
  using Brought::kOperands;

 protected:
  using Brought::bytes_, Brought::extents_, Brought::rank_, Brought::steps_;
  using Buffers = typename Brought::Buffers;

  OPKG_SMALL SeenRun(const RowFunctions& functions, const SeenOperand* operands, size_t many) : Brought(operands, functions.step, many) {
    if (functions.runs && this->valid() && this->buffered_ != 0 && rank_ > 1 && extents_[0] < functions.step) find_run();
  }

  bool in_runs() const { return pitch_ != 0; }
  size_t run_rows() const { return run_rows_; }
  size_t run_planes() const { return run_planes_; }
  /// Elements of a run of so many rows.
  size_t length(size_t rows) const { return (rows - 1) * pitch_ + extents_[0]; }

  /// Where a run of each operand begins; `place`: its parts. Inputs that have one row or plane are in their buffers then.
  void begin_run(uint8_t* const* place, Buffers& buffers, size_t planes, size_t rows, uint8_t** at) const {
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
      held = {place[i], extents_[0], planes * rows};
      const size_t size = bytes_[i], piece = (each ? extents_[0] : length(rows)) * size;
      copy_pieces(at[i], place[i], 1, 0, 0, piece);
      if (each) again(at[i], piece, parts_);  // between parts, too
      again(at[i], pitch_ * size * (each ? 1 : rows), each ? planes * rows : planes);
    }
  }

  /// Writes the parts of results.
  void end_run(uint8_t* const* place, uint8_t* const* at, size_t rows) const {
    for (uint32_t i = kInputs; i < kOperands; ++i) sieves_[i - kInputs].write(place[i], at[i], rows);
  }

 private:
  static constexpr size_t kSmall = 2048;  ///< bytes of planes that are joined

  OPKG_SMALL void find_run() {
    const auto n = static_cast<intptr_t>(extents_[0]), apart = steps_[kInputs][1] / static_cast<intptr_t>(bytes_[kInputs]);
    if (apart <= n || 2 * (apart - n) > n * static_cast<intptr_t>(kOperands)) return;  // what copies would take, as all is computed for each part
    const intptr_t plane = apart * static_cast<intptr_t>(extents_[1]);
    bool planes = rank_ > 2;
    uint64_t same_planes = 0;
    uint32_t widest = 1;
    for (uint32_t i = 0; i < kOperands; ++i) {
      const intptr_t size = bytes_[i];
      const bool each = i < kInputs && steps_[i][1] == 0;
      if (steps_[i][0] != size || (!each && steps_[i][1] != apart * size)) return;
      if (each) same_rows_ |= uint64_t{1} << i;
      if (i < kInputs && steps_[i][2] == 0) {
        same_planes |= uint64_t{1} << i;
      } else {
        planes &= !each && steps_[i][2] == plane * size;
      }
      widest = std::max(widest, bytes_[i]);
    }
    const uint64_t results = ((uint64_t{1} << kOutputs) - 1) << kInputs;
    const auto most = [&](uint64_t in_buffers) {
      in_buffers_ = in_buffers | results;
      run_room_ = (Brought::kArena - kAlignment) / static_cast<size_t>(__builtin_popcountll(in_buffers_)) / kAlignment * kAlignment;
      return (run_room_ - 3 * kAlignment) / widest / static_cast<size_t>(apart);
    };
    if (planes && plane * static_cast<intptr_t>(widest) <= static_cast<intptr_t>(kSmall)) run_planes_ = std::max<size_t>(1, most(same_rows_ | same_planes) / extents_[1]);
    run_rows_ = run_planes_ > 1 ? run_planes_ * extents_[1] : most(same_rows_);
    if (run_rows_ < 2) return;
    pitch_ = static_cast<size_t>(apart), parts_ = pitch_ / extents_[0] + 1;
    for (uint32_t i = kInputs; i < kOperands; ++i) sieves_[i - kInputs] = Sieve(extents_[0] * bytes_[i], pitch_ * bytes_[i]);
  }

  size_t pitch_ = 0;  ///< elements from a part to the next one; 0: they do not lie alike
  size_t parts_ = 0;  ///< that a row has room for, and one more
  size_t run_rows_ = 0, run_planes_ = 1;
  size_t run_room_ = 0;  ///< bytes of a buffer
  uint64_t same_rows_ = 0, in_buffers_ = 0;
  Sieve sieves_[kOutputs];
};

}  // namespace rowwise

}  // namespace opkg

#endif  // OPKG_SEEN_RUN_H_

// Calls of kernels that reduce dimensions, as a prepared graph keeps them: numbers and tables.
#ifndef OPKG_REDUCE_KEPT_H_
#define OPKG_REDUCE_KEPT_H_

#include <initializer_list>
#include <type_traits>

#include "opkg/hvx_inverse.h"
#include "opkg/kept_operand.h"
#include "opkg/reduce.h"

namespace opkg {

/// The rows of kept operands, whatever is computed of them.
template <uint32_t kOperands>
class MadeRows {
 public:
  OPKG_RARE MadeRows(const rowwise::RowKind<kOperands>& kind, uint32_t same, const Operand* operands, uint32_t axes, uint32_t dropped) : kind_(&kind) {
    const Operand* each[kOperands];
    for (uint32_t i = 0; i < kind.operands; ++i) {
      each[i] = &operands[i];
      numbers_ |= i < kind.inputs && operands[i].is_number ? 1u << i : 0;
    }
    fits_ = all_.set(each, kind.operands, axes, dropped) == Status::ok;
    taken_ = fits_ && all_.in_vectors(kind, same) ? all_.length() : 0;
  }

  bool fits() const { return fits_; }

  /// Elements of a row.
  size_t length() const { return all_.length(); }

 protected:
  using Kind = rowwise::RowKind<kOperands>;

  // Each is the last that a call calls, and what they are given fits registers: there is one frame.
  __attribute__((noinline)) Status only(const void* rows, const Operand* operands, const Memory& memory) const {
    const Kind& kind = *kind_;
    uint8_t* data[kOperands];
    if (numbers_ != 0) {
      find_all(kind.operands, operands, memory, data);
    } else {
      const Memory now = memory;  // no call changes it
      const uint32_t count = kind.operands;
      OPKG_UNROLL_WHOLE  // no loop, in front of which there would be room
          for (uint32_t i = 0; i < kOperands; ++i) {
        data[i] = static_cast<uint8_t*>(now.data(operands[i].data));
        if (i + 1 == count) break;
      }
    }
    kind.one(all_, rows, taken_, data);
    return Status::ok;
  }
  __attribute__((noinline)) Status some(const void* rows, const Operand* operands, const Memory& memory, Slice slice) const {
    uint8_t* data[kOperands];
    find_all(kind_->operands, operands, memory, data);
    all_.some(*kind_, rows, taken_ != 0, data, slice.begin(all_.total), slice.end(all_.total));
    return Status::ok;
  }

  OPKG_INLINE void find(uint32_t count, const Operand* operands, const Memory& memory, uint8_t** data) const {
    if (numbers_ != 0) return find_all(count, operands, memory, data);
    const Memory now = memory;  // no call changes it
    for (uint32_t i = 0; i < count; ++i) data[i] = static_cast<uint8_t*>(now.data(operands[i].data));
  }
  OPKG_RARE void find_all(uint32_t count, const Operand* operands, const Memory& memory, uint8_t** data) const {
    for (uint32_t i = 0; i < count; ++i) {
      data[i] = (numbers_ >> i & 1) != 0 ? operands[i].data : static_cast<uint8_t*>(memory.data(operands[i].data));
    }
  }

  rowwise::AllRows<kOperands> all_;
  uint32_t numbers_ = 0;  ///< inputs (bits) that are numbers in the place of absent ones
  const Kind* kind_;
  size_t taken_;  ///< elements of a row that vectors take; 0: they do not
  bool fits_;
};

/// What one way of computing knows of the shapes of kept operands, where it takes calls whole or not at all.
template <typename Shared>
class OneWay {
 public:
  static constexpr uint32_t kWays = 1;

  template <typename Rows>
  OneWay(const Rows&, const Operand* operands, uint32_t axes, uint32_t) : shared_(operands, axes) {}
  explicit OneWay(const Shared& shared) : shared_(shared) {}

  bool fits() const { return shared_.taken; }
  uint32_t way() const { return 0; }
  Slice rest(Slice slice) const { return slice; }

 protected:
  Shared shared_;
};

/// How the rows of kept operands (inputs, then outputs) are computed.
struct ByRows {
  template <typename>
  static constexpr bool kInSlots = true;  ///< whether rows need not follow each other

  /// Bytes for pieces of all tensors in blocks.
  template <typename Rows>
  static constexpr size_t staged_bytes() {
    return kStagedBytes;
  }

  /// What is made of the shapes of kept operands, and of the numbers of `rows`, once. `fits`: whether it may be asked to run;
  /// `way`: which of its ways (kWays) calls take; `run`: computes a slice, or returns what `rest` does, which is called for
  /// what it does not take; `rest`: what is left to do of such a slice.
  template <typename Rows>
  class Made : public MadeRows<room_for(Rows::kInputs + Rows::kOutputs)> {
    using Base = MadeRows<room_for(Rows::kInputs + Rows::kOutputs)>;

   public:
    static constexpr uint32_t kWays = 2;

    Made(const Rows& rows, const Operand* operands, uint32_t axes, uint32_t dropped)
        : Base(rowwise::kRowKind<Rows>, rowwise::SameInputs<Rows>::of(rows), operands, axes, dropped) {}

    uint32_t way() const { return this->all_.total == 1 ? kOneRow : 0; }

    template <uint32_t kWay, typename Rest>
    Status run(const Rows& rows, const Operand* operands, const Memory& memory, Slice slice, const Rest&) const {
      if (kWay == kOneRow && slice.count == 1) return this->only(&rows, operands, memory);
      return this->some(&rows, operands, memory, slice);
    }

    /// All rows of operands whose data is here.
    bool run_at(const Rows& rows, uint8_t* const* data) const {
      this->all_.some(*this->kind_, &rows, this->taken_ != 0, data, 0, this->all_.total);
      return true;
    }

    Slice rest(Slice slice) const { return slice; }

   protected:
    static constexpr uint32_t kOneRow = 1;
  };

  template <typename Rows>
  OPKG_RARE static Status run(const Rows& rows, bool vectors, uint32_t axes, uint32_t dropped, const Operand* now, const Part& part) {
    const Operand* operands[Rows::kInputs + Rows::kOutputs];
    for (uint32_t i = 0; i < Rows::kInputs + Rows::kOutputs; ++i) operands[i] = &now[i];
    return rowwise::reduce_rows(rowwise::kRowKind<Rows>, &rows, vectors, rowwise::SameInputs<Rows>::of(rows), axes, dropped, operands, part);
  }
};

/// Into how many slices a call is cut at most, with several outputs: one where rows share results.
template <typename Rows>
OPKG_RARE uint32_t whole_if_shared(uint32_t slices, const KeptOperands<Rows::kInputs + Rows::kOutputs>& operands, uint32_t axes, uint32_t dropped) {
  constexpr uint32_t kCount = Rows::kInputs + Rows::kOutputs;
  const Operand* each[kCount];
  for (uint32_t i = 0; i < kCount; ++i) each[i] = &operands.each[i];
  rowwise::Frame<kCount> frame;
  return frame.set(each, kCount, axes, dropped) && frame.shares_results(Rows::kInputs, kCount, axes) ? 1 : slices;
}

/// Into how many slices a call is cut, and which inputs, whose last dimensions are reduced, it fetches from DDR.
OPKG_RARE inline void cut_rows(KeptCall& call, const Operand* operands, uint32_t inputs, uint32_t count, uint32_t axes) {
  call.slices = slices_for(operands, count);
  for (uint32_t i = 0; i < inputs && (axes & (axes + 1)) == 0; ++i) {
    const Operand& o = operands[i];
    size_t row = o.bytes;
    for (uint32_t k = 0; k < o.rank && (axes >> k & 1) != 0; ++k) row *= o.extent(k);
    if (o.in_ddr) call.add({o.data, o.size() * o.bytes, row});
  }
}

/// Whether rows that a way goes through may be pixels as they lie in blocks: where it says so (`kPixels`).
template <typename Way, typename Rows, typename = void>
struct TakesPixels : std::false_type {};
template <typename Way, typename Rows>
struct TakesPixels<Way, Rows, std::void_t<decltype(Way::template kPixels<Rows>)>> : std::bool_constant<Way::template kPixels<Rows>> {};

template <typename Rows, typename Way = ByRows>
class KeptReduction : public KeptCall {
 public:
  /// Arguments as for reduce(), with handles in place of pointers.
  template <typename Args>
  OPKG_SMALL KeptReduction(const Args& op, uint32_t axes, uint32_t dropped, const std::initializer_list<Operand>& inputs,
                           const std::initializer_list<Operand>& outputs)
      : KeptReduction(op, axes, dropped, KeptOperands<kOperands>(inputs, outputs)) {}

 protected:
  static constexpr uint32_t kOperands = Rows::kInputs + Rows::kOutputs;

  /// `in_blocks`: whether rows are pixels as they lie in blocks.
  template <typename Args>
  OPKG_SMALL KeptReduction(const Args& op, uint32_t axes, uint32_t dropped, const KeptOperands<kOperands>& operands, bool in_blocks = false)
      : rows_(), vectors_(rows_.prepare(op)), operands_(operands), made_(made(operands_, axes, dropped, in_blocks)), takes_(vectors_ && made_.fits()), axes_(axes), dropped_(dropped) {
    if constexpr (AsksForCount<Rows>::value) rows_.inverse_of_count = hvx::CountInverse(made_.length());
    cut_rows(*this, operands_.each, Rows::kInputs, kOperands, axes);
    if constexpr (Rows::kOutputs > 1) slices = whole_if_shared<Rows>(slices, operands_, axes, dropped);
    KeptCall::run = takes_ ? made_way(made_.way()) : &KeptReduction::run_rest;
  }

  using Made = typename Way::template Made<Rows>;

  /// How rows of some operands are gone through.
  OPKG_SMALL Made made(const KeptOperands<kOperands>& operands, uint32_t axes, uint32_t dropped, [[maybe_unused]] bool in_blocks) const {
    if constexpr (TakesPixels<Way, Rows>::value) {
      return Made(rows_, operands.each, axes, dropped, in_blocks);
    } else {
      return Made(rows_, operands.each, axes, dropped);
    }
  }

  template <uint32_t kWay = 0>
  OPKG_SMALL static Run made_way(uint32_t way) {
    if constexpr (kWay + 1 < Made::kWays) return way == kWay ? &run_made<kWay> : made_way<kWay + 1>(way);
    return &run_made<kWay>;
  }

  template <uint32_t kWay>
  static Status run_made(const KeptCall& call, const Memory& memory, Slice slice) {
    const auto& self = static_cast<const KeptReduction&>(call);
    return self.made_.template run<kWay>(self.rows_, self.operands_.each, memory, slice, [&] { return run_rest(call, memory, slice); });
  }

  /// What vectors did not do. A function of its own: others need no room for its variables.
  OPKG_RARE static Status run_rest(const KeptCall& call, const Memory& memory, Slice slice) {
    const auto& self = static_cast<const KeptReduction&>(call);
    const KeptOperands<kOperands> now = self.operands_.now(memory);
    return Way::run(self.rows_, self.vectors_, self.axes_, self.dropped_, now.each, self.made_.rest(slice));
  }

  Rows rows_;
  bool vectors_;
  KeptOperands<kOperands> operands_;
  Made made_;
  bool takes_;  ///< whether vectors may take calls
  uint32_t axes_;
  uint32_t dropped_;
};

}  // namespace opkg

#endif  // OPKG_REDUCE_KEPT_H_

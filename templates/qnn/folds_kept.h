// Calls of kernels that fold rows, as a prepared graph keeps them.
#ifndef OPKG_FOLDS_KEPT_H_
#define OPKG_FOLDS_KEPT_H_

#include "opkg/folds.h"
#include "opkg/reduce_kept.h"

namespace opkg {

#if OPKG_HVX
namespace folds {

/// What is made of the shapes of kept operands.
template <typename Rows, typename = void>
class Made : public OneWay<Shared<Rows>> {
 public:
  using OneWay<Shared<Rows>>::OneWay;

  template <uint32_t, typename Rest>
  Status run(const Rows& rows, const Operand* operands, const Memory& memory, Slice slice, const Rest& rest) const {
    const auto* const in = static_cast<const uint8_t*>(memory.data(operands[0].data));
    return folds::run(rows, this->shared_, in, static_cast<uint8_t*>(memory.data(operands[1].data)), slice) ? Status::ok : rest();
  }

  bool run_at(const Rows& rows, uint8_t* const* data) const { return folds::run(rows, this->shared_, data[0], data[1], Slice{}); }
};

/// The same where few rows, and what is not folded, go through rows as well.
template <typename Rows>
class Made<Rows, std::enable_if_t<(Shared<Rows>::kLeast > 1)>> : public ByRows::Made<Rows> {
  using Base = ByRows::Made<Rows>;

 public:
  static constexpr uint32_t kWays = Base::kWays + 1;

  Made(const Rows& rows, const Operand* operands, uint32_t axes, uint32_t dropped) : Base(rows, operands, axes, dropped), shared_(operands, axes) {}

  uint32_t way() const { return folded() ? Base::kWays : Base::way(); }

  template <uint32_t kWay, typename Rest>
  Status run(const Rows& rows, const Operand* operands, const Memory& memory, Slice slice, const Rest& rest) const {
    if constexpr (kWay < Base::kWays) return Base::template run<kWay>(rows, operands, memory, slice, rest);
    const auto* const in = static_cast<const uint8_t*>(memory.data(operands[0].data));
    return shared_.run(rows, in, static_cast<uint8_t*>(memory.data(operands[1].data)), slice) ? Status::ok : rest();
  }

  bool run_at(const Rows& rows, uint8_t* const* data) const {
    return folded() ? shared_.run(rows, data[0], data[1], Slice{}) : Base::run_at(rows, data);
  }

 private:
  bool folded() const { return shared_.taken && shared_.total >= Shared<Rows>::kLeast; }

  Shared<Rows> shared_;
};

}  // namespace folds
#endif

/// Rows many at a time where that goes, else one after another.
struct ByFolds : ByRows {
  template <typename>
  static constexpr bool kInSlots = false;

#if OPKG_HVX
  template <typename Rows, bool = columns::HasColumns<Rows>::value>
  class Made : public ByRows::Made<Rows> {
   public:
    using ByRows::Made<Rows>::Made;
  };
  template <typename Rows>
  class Made<Rows, true> : public folds::Made<Rows> {
   public:
    using folds::Made<Rows>::Made;
  };
#endif
};

}  // namespace opkg

#endif  // OPKG_FOLDS_KEPT_H_

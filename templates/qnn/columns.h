// Runs generated kernels that reduce dimensions and whose results lie one after another: lanes are results. C++17.
//
// A column is what one result is made of. `width` columns stand side by side in `rows` rows that follow each other, with
// further reduced dimensions around them. Where rows are short or fit vectors badly, several of them side by side are one
// row of joined columns, which are folded at the end. What vectors cannot take is computed by opkg::reduce.
#ifndef OPKG_COLUMNS_H_
#define OPKG_COLUMNS_H_

#include "opkg/columns_plan.h"
#include "opkg/hvx_finish.h"
#include "opkg/reduce.h"

namespace opkg {
namespace columns {

#if OPKG_HVX

/// What calls on tensors of the same shapes share. `operands`: the input, then the outputs.
template <typename Rows>
struct Shared {
  Plan plan;
  bool taken;     ///< whether vectors can take these columns
  bool in_steps;  ///< whether rows of vectors are multiples of 128 bytes apart
  size_t turns;   ///< places around
  size_t count;   ///< elements of a column
  size_t size;    ///< panels

  Shared(const Operand* operands, uint32_t axes)
      : plan(operands[0], axes), turns(plan.around.size()), count(plan.count()), size(plan.panels.size()) {
    bool flat = true;
    for (uint32_t i = 0; i <= Rows::kOutputs; ++i) flat = flat && !operands[i].crouton();
    taken = flat && count != 0 && plan.width != 0 && size != 0 && plan.template join<Rows::Found::kLanes>(Rows::Found::kHeld);
    size_t steps = plan.row_bytes();
    for (uint32_t k = 0; k < plan.around.rank; ++k) steps |= plan.around.steps[k];
    in_steps = steps % hvx::kBytes == 0;
  }
};

/// One call: the columns of a tensor, and the outputs. Vectors of columns are taken two at a time where there are two.
template <typename Rows>
class Call {
  using Found = typename Rows::Found;
  static constexpr size_t kLanes = Found::kLanes;
  static constexpr size_t kMost = 4 * kLanes;  ///< joined columns

 public:
  Call(const Rows& rows, const Shared<Rows>& shared, const uint8_t* in, uint8_t* const* out)
      : in_(in), out_(out), shared_(shared), plan_(shared.plan), stride_(plan_.row_bytes()), finish_(rows, shared.count) {}

  void run(Slice slice) const {
    const size_t panels = shared_.size;
    if (plan_.joined != 1 || plan_.width < kLanes) {
      const size_t end = slice.end(panels);
      for (size_t panel = slice.begin(panels); panel < end; ++panel) joined(panel);
      return;
    }
    const size_t blocks = (plan_.width + kLanes - 1) / kLanes, end = slice.end(panels * blocks);
    size_t i = slice.begin(panels * blocks);
    for (size_t panel = i == 0 ? 0 : i / blocks, block = i - panel * blocks; i < end; block = 0, ++panel) {
      const size_t now = blocks - block < end - i ? blocks - block : end - i;
      panel_part(panel, block, block + now);
      i += now;
    }
  }

 private:
  /// Some vectors of columns of a panel.
  void panel_part(size_t panel, size_t block, size_t end) const {
    const uint8_t* const at = in_ + plan_.panels.offset(panel);
    const size_t first = panel * plan_.width, columns = (end * kLanes < plan_.width ? end * kLanes : plan_.width) - block * kLanes;
    const bool aligned = is_aligned(at);
    count_elements(columns * shared_.count);
    for (; (block + 2) * kLanes <= plan_.width && block + 2 <= end; block += 2) {
      if (aligned) {
        single<kTells, 2>(at + block * hvx::kBytes, first + block * kLanes, 0);
      } else {
        single<false, 2>(at + block * hvx::kBytes, first + block * kLanes, 0);
      }
    }
    for (; block < end; ++block) {  // the last vector of a panel may begin earlier
      const size_t left = plan_.width - block * kLanes, back = left < kLanes ? kLanes - left : 0;
      single<false, 1>(at + block * hvx::kBytes - back * plan_.bytes, first + block * kLanes, back);
    }
  }

  /// Vectors of columns side by side, from result `first` on; `back` columns are left out.
  template <bool kAligned, uint32_t kSide>
  void single(const uint8_t* at, size_t first, size_t back) const {
    Found found[kSide];
    down<kAligned>(found, at, plan_.rows, 0, 0);
    hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { finish_.lanes(found[side], out_, first + side * kLanes, back); });
  }

  /// A panel whose rows are joined: all lanes are kept, then folded.
  void joined(size_t panel) const {
    alignas(128) int32_t kept[Found::kParts][kMost + 128];
    const size_t lanes = plan_.joined * plan_.width;
    const size_t whole = lanes < kLanes ? 0 : plan_.deep - (plan_.deep * plan_.joined == plan_.rows ? 0 : 1);
    const size_t rest = (plan_.rows - whole * plan_.joined) * plan_.width;  // elements of the last row
    const uint8_t* const at = in_ + plan_.panels.offset(panel);
    size_t first = 0;
    for (; first + 2 * kLanes <= lanes; first += 2 * kLanes) {
      if (is_aligned(at)) {
        keep<kTells, 2>(kept, at, first, whole, rest);
      } else {
        keep<false, 2>(kept, at, first, whole, rest);
      }
    }
    for (; first < lanes; first += kLanes) {
      keep<false, 1>(kept, at, first + kLanes <= lanes || lanes < kLanes ? first : lanes - kLanes, whole, rest);
    }
    count_elements(plan_.width * shared_.count);
    finish_.folded(kept, plan_.joined, plan_.width, out_, panel * plan_.width);
  }

  /// What is found of joined columns from number `first` on, as 32-bit numbers in the order of memory.
  template <bool kAligned, uint32_t kSide>
  void keep(int32_t (*kept)[kMost + 128], const uint8_t* at, size_t first, size_t whole, size_t rest) const {
    Found found[kSide];
    const size_t live = rest > first ? rest - first : 0;
    down<kAligned>(found, at + first * plan_.bytes, whole, whole * stride_, live * plan_.bytes);
    hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA {
      HVX_Vector words[Found::kParts][kLanes / 32];
      found[side].words(words);
      for (uint32_t part = 0; part < Found::kParts; ++part) {
        int32_t* const to = kept[part] + first + side * kLanes;
        for (uint32_t i = 0; i < kLanes / 32; ++i) hvx::store_unaligned(to + 32 * i, words[part][i]);
      }
    });
  }

  /// All elements below vectors side by side: `rows` whole rows, then, `last` bytes on, one whose first `live` bytes count.
  template <bool kAligned, uint32_t kSide>
  OPKG_INLINE void down(Found (&found)[kSide], const uint8_t* at, size_t rows, size_t last, size_t live) const {
    size_t held = 0;
    const auto room = [&]() OPKG_INLINE_LAMBDA {
      if (held == Found::kBlock) {
        hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA { found[side].empty(); });
        held = 0;
      }
      return Found::kBlock - held;
    };
    Walk around(plan_.around);
    for (size_t turn = 1;; ++turn, around.next()) {
      const uint8_t* from = at + around.offset();
      const uint8_t* const rest = from + last;
      for (size_t left = rows; left != 0;) {
        const size_t most = room(), now = left < most ? left : most;
        hvx::take_rows<kAligned>(found, from, now, stride_);
        from += now * stride_;
        left -= now;
        held += now;
      }
      if (live != 0) {
        room();
        hvx::each_side<kSide>([&](auto side) OPKG_INLINE_LAMBDA {
          const size_t before = side * hvx::kBytes, bytes = live - before < hvx::kBytes ? live - before : hvx::kBytes;
          if (before < live) found[side].some(hvx::load_some(rest + before, bytes), bytes);
        });
        ++held;
      }
      if (turn == shared_.turns) return;
    }
  }

  static constexpr bool kTells = rowwise::kTellsAlignment;

  /// Whether all rows of vectors from an address on are multiples of 128.
  bool is_aligned(const uint8_t* at) const { return shared_.in_steps && reinterpret_cast<uintptr_t>(at) % hvx::kBytes == 0; }

  static void count_elements(size_t n) { rowwise::counted(true, n); }

  const uint8_t* in_;
  uint8_t* const* out_;
  const Shared<Rows>& shared_;
  const Plan& plan_;
  size_t stride_;  ///< bytes from one row to the next
  hvx::Finish<Rows> finish_;
};

#endif  // OPKG_HVX

/// Whether a struct of row functions has vector code for columns.
template <typename Rows, typename = void>
struct HasColumns : std::false_type {};
#if OPKG_HVX
template <typename Rows>
struct HasColumns<Rows, std::void_t<typename Rows::Found>> : std::true_type {};
#endif

}  // namespace columns

/// As opkg::reduce, in vectors of columns where they can be.
template <typename Rows>
Status reduce_columns(const Rows& rows, bool vectors, uint32_t axes, uint32_t dropped, std::initializer_list<Operand> inputs,
                      std::initializer_list<Operand> outputs, Slice slice = Slice{}) {
  static_assert(Rows::kInputs == 1, "columns are those of one tensor");
  if (inputs.size() != 1 || outputs.size() != Rows::kOutputs) return Status::error;
#if OPKG_HVX
  if constexpr (columns::HasColumns<Rows>::value) {
    Operand operands[1 + Rows::kOutputs] = {*inputs.begin()};
    uint8_t* out[Rows::kOutputs];
    for (uint32_t i = 0; i < Rows::kOutputs; ++i) out[i] = (operands[1 + i] = outputs.begin()[i]).data;
    const columns::Shared<Rows> shared(operands, axes);
    if (vectors && shared.taken) {
      columns::Call<Rows>(rows, shared, operands[0].data, out).run(slice);
      return Status::ok;
    }
  }
#endif
  return reduce(rows, vectors, axes, dropped, inputs, outputs, slice);
}

}  // namespace opkg

#endif  // OPKG_COLUMNS_H_

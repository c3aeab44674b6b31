// Which elements of flat tensors form one row, and how each input takes part in it.
#ifndef OPKG_ROWS_PLAN_H_
#define OPKG_ROWS_PLAN_H_

#include "opkg/rows_call.h"

namespace opkg::rowwise {

constexpr size_t kLongCycle = 4096;    // bytes from which cycles need not be whole vectors
constexpr size_t kArenaBytes = 10240;  // of patterns and copies of inputs, on the stack; more for many inputs

enum class Part : uint8_t {
  whole,    ///< the elements of the row, one after another
  pattern,  ///< repeats, and the vector code holds one step of it in registers, or goes around it
  repeat,   ///< repeats, and is copied to a buffer
  walk,     ///< anything else: is copied to a buffer
};

/// A row takes the last `dims` dimensions of the domain.
template <typename Rows>
struct Plan {
  using DomainOf = Domain<Rows::kInputs>;
  static constexpr size_t kLeastRoom = Rows::kStep * 8 + 2 * kAlignment;  ///< of a buffer: a step of the widest elements
  static constexpr size_t kLeastArena = Rows::kInputs * kLeastRoom;
  static constexpr size_t kArena = kArenaBytes > kLeastArena ? kArenaBytes : kLeastArena;

  uint32_t first = 0;  ///< the row's first dimension
  size_t length = 1;   ///< elements
  Part parts[DomainOf::kSlots] = {};
  size_t periods[DomainOf::kSlots] = {};  ///< of patterns and repeats, in elements
  size_t cycles[DomainOf::kSlots] = {};   ///< of patterns: bytes after which the vector code begins again
  uint32_t fixed = 0;                     ///< the set of patterns
  uint32_t buffered = 0;                  ///< the set of repeats and walks
  bool goes_around = false;               ///< some pattern is no part of a step

  Plan(const DomainOf& domain, uint32_t dims, const Operand* inputs) : first(domain.rank - dims) {
    for (uint32_t k = first; k < domain.rank; ++k) length *= domain.extents[k];
    uint32_t wanted = 0;
    size_t left = kArena - Rows::kInputs * kLeastRoom;  // beyond the least room of every input
    for (uint32_t i = 0; i < Rows::kInputs; ++i) {
      parts[i] = part(domain, i);
      if (parts[i] != Part::repeat || (Rows::kMayBroadcast >> i & 1) == 0 || (Rows::kOutputs > 1 && !inside(i))) continue;
      for (const size_t longest : {kLongCycle, size_t{0}}) {
        cycles[i] = cycle(periods[i] * inputs[i].bytes, turn(inputs[i]), longest);
        const size_t more = pattern_room(i, inputs[i]) > kLeastRoom ? pattern_room(i, inputs[i]) - kLeastRoom : 0;
        if (more > left) continue;
        left -= more;
        wanted |= 1u << i;
        break;
      }
    }
    fixed = Instances<Rows::kMayBroadcast>::best(wanted);
    for (uint32_t i = 0; i < Rows::kInputs; ++i) {
      if ((fixed >> i & 1) != 0) {
        parts[i] = Part::pattern;
        goes_around |= !inside(i);
      }
      if (parts[i] == Part::repeat || parts[i] == Part::walk) buffered |= 1u << i;
    }
  }

  /// Whether an aligned row reads a pattern where it is: all of them have periods that divide a step.
  bool in_place() const { return fixed != 0 && !goes_around; }

  /// Bytes of a pattern: the vector code reads a turn from any place of the cycle on.
  size_t pattern_bytes(uint32_t input, const Operand& operand) const { return cycles[input] + turn(operand); }

  /// Bytes of the buffer of a pattern.
  size_t pattern_room(uint32_t input, const Operand& operand) const {
    return (pattern_bytes(input, operand) + 2 * kAlignment - 1) / kAlignment * kAlignment;
  }

 private:
  static size_t turn(const Operand& operand) { return hvx::kTurn * Rows::kStep * operand.bytes; }
  bool inside(uint32_t input) const { return Rows::kStep % periods[input] == 0; }

  /// The least number of periods (in bytes) that is no less than a turn; of whole vectors if those take no more than `longest`.
  static size_t cycle(size_t period, size_t turn, size_t longest) {
    size_t whole = period;
    while (whole % kAlignment != 0) whole *= 2;
    if (whole > longest) whole = period;
    return (turn + whole - 1) / whole * whole;
  }

  Part part(const DomainOf& domain, uint32_t input) {
    uint32_t k = first;
    while (k < domain.rank && (domain.broadcast[k] >> input & 1) != 0) ++k;
    if (k == first && !broadcasts_from(domain, input, first)) return Part::whole;
    if (broadcasts_from(domain, input, k)) return Part::walk;
    periods[input] = 1;
    for (; k < domain.rank; ++k) periods[input] *= domain.extents[k];
    return Part::repeat;
  }

  static bool broadcasts_from(const DomainOf& domain, uint32_t input, uint32_t k) {
    for (; k < domain.rank; ++k) {
      if ((domain.broadcast[k] >> input & 1) != 0) return true;
    }
    return false;
  }
};

/// Long rows that need no copies if there are any, else everything as one row.
template <typename Rows>
Plan<Rows> make_plan(const Domain<Rows::kInputs>& domain, const Operand* inputs) {
  constexpr size_t kLong = 16384;             // elements from which a longer row gains nothing
  constexpr size_t kShort = 4 * Rows::kStep;  // up to which copying costs less than many short rows
  Plan<Rows> best(domain, 1, inputs);
  for (uint32_t dims = 2; dims <= domain.rank && best.length < kLong; ++dims) {
    const Plan<Rows> longer(domain, dims, inputs);
    if (longer.buffered != 0) break;
    best = longer;
  }
  return best.length >= kShort || best.first == 0 ? best : Plan<Rows>(domain, domain.rank, inputs);
}

/// Copies bytes, and up to a vector behind them.
inline void copy_over(uint8_t* to, const uint8_t* from, size_t bytes) {
#if OPKG_HVX
  for (; bytes > kAlignment; to += kAlignment, from += kAlignment, bytes -= kAlignment) {
    hvx::store_unaligned(to, hvx::load_unaligned(from));
  }
  if (bytes != 0) hvx::store_unaligned(to, hvx::load_some(from, bytes));
#else
  memcpy(to, from, bytes);
#endif
}

/// Fills `count` elements, and up to a vector behind them, with a run of `period` elements again and again, from element
/// `phase` of it on.
inline void fill_repeated(uint8_t* to, const uint8_t* run, size_t bytes, size_t period, size_t phase, size_t count) {
  const size_t total = count * bytes;
  if (period == 1 && bytes == 1) {
    memset(to, *run, total);
    return;
  }
  size_t done = (period - phase) * bytes;
  if (done > total) done = total;
  copy_over(to, run + phase * bytes, done);
  if (phase != 0 && done < total) {
    const size_t rest = phase * bytes < total - done ? phase * bytes : total - done;
    copy_over(to + done, run, rest);
    done += rest;
  }
  while (done < total) {  // what is there is whole periods: it doubles
    const size_t more = done < total - done ? done : total - done;
    copy_over(to + done, to, more);
    done += more;
  }
}

/// Copies `count` elements of an input, from element `at` of a row on, into the order of the output.
template <typename Rows>
void fill_walk(uint8_t* to, const Plan<Rows>& plan, const Domain<Rows::kInputs>& domain, uint32_t input,
               const uint8_t* row, size_t bytes, size_t at, size_t count) {
  const uint32_t last = domain.rank - 1;
  const size_t run = domain.extents[last];
  const bool one = (domain.broadcast[last] >> input & 1) != 0;
  Place<Rows::kInputs> place(domain, plan.first, last, at / run);
  size_t inside = at % run;
  while (count > 0) {
    const size_t now = run - inside < count ? run - inside : count;
    const uint8_t* from = row + place.offset(input) * bytes;
    if (one) {
      fill_repeated(to, from, bytes, 1, 0, now);
    } else {
      copy_over(to, from + inside * bytes, now * bytes);
    }
    to += now * bytes;
    count -= now;
    inside = 0;
    place.next();
  }
}

}  // namespace opkg::rowwise

#endif  // OPKG_ROWS_PLAN_H_

// Which elements of flat tensors form one row, and how each input takes part in it.
#ifndef OPKG_ROWS_PLAN_H_
#define OPKG_ROWS_PLAN_H_

#include "opkg/rows_strips.h"

namespace opkg::rowwise {

constexpr size_t kMostStep = 128;      // elements of a step
constexpr size_t kArenaBytes = 10240;  // of copies of inputs, on the stack; more for many inputs

enum class Part : uint8_t {
  whole,    ///< the elements of the row, one after another
  pattern,  ///< repeats, and the vector code holds one step of it in registers
  repeat,   ///< repeats, and is copied to a buffer
  walk,     ///< anything else: is copied to a buffer
};

/// A row takes the last `dims` dimensions of the domain.
template <uint32_t kInputs>
struct Plan {
  using DomainOf = Domain<kInputs>;
  static constexpr size_t kLeastArena = kInputs * (kMostStep * 8 + 2 * kAlignment);  // a step of the widest elements
  static constexpr size_t kArena = kArenaBytes > kLeastArena ? kArenaBytes : kLeastArena;

  uint32_t first = 0;  ///< the row's first dimension
  size_t length = 1;   ///< elements
  Part parts[DomainOf::kSlots] = {};
  size_t periods[DomainOf::kSlots] = {};  ///< of patterns and repeats, in elements
  uint32_t fixed = 0;                     ///< the set of patterns
  uint32_t buffered = 0;                  ///< the set of repeats and walks
  Strips strips;                          ///< where there are patterns

  /// `bytes`: of an element of the output. `patterns`: inputs that repeat may stay where they are.
  OPKG_SMALL Plan(const RowFunctions& functions, const DomainOf& domain, uint32_t dims, size_t bytes, bool patterns = true)
      : first(domain.rank - dims) {
    for (uint32_t k = first; k < domain.rank; ++k) length *= domain.extents[k];
    uint32_t wanted = 0;
    size_t period = 1;  // periods are products of the last extents: the longest is a multiple of the others
    for (uint32_t i = 0; i < kInputs; ++i) {
      parts[i] = part(domain, i);
      if (patterns && parts[i] == Part::repeat) wanted |= functions.may_broadcast & 1u << i;
    }
    fixed = functions.best(wanted);
    for (uint32_t i = 0; i < kInputs; ++i) {
      if ((fixed >> i & 1) != 0) {
        parts[i] = Part::pattern;
        if (periods[i] > period) period = periods[i];
      }
      if (parts[i] == Part::repeat || parts[i] == Part::walk) buffered |= 1u << i;
    }
    if (fixed != 0) strips = Strips(period, length, functions.step * functions.turn_steps(), functions.turn_steps(), bytes);
  }

 private:
  OPKG_SMALL Part part(const DomainOf& domain, uint32_t input) {
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

/// Long rows that need no copies if there are any, else everything as one row. `bytes`: of an element of the output.
template <uint32_t kInputs>
OPKG_SMALL Plan<kInputs> make_plan(const RowFunctions& functions, const Domain<kInputs>& domain, size_t bytes) {
  constexpr size_t kLong = 16384;           // elements from which a longer row gains nothing
  const size_t least = 4 * functions.step;  // up to which copying costs less than many short rows
  constexpr size_t kRow = 80;               // packets of a row besides its steps, and
  constexpr size_t kMoving = 7;             // of a step whose operands all move on
  Plan<kInputs> best(functions, domain, 1, bytes);
  for (uint32_t dims = 2; dims <= domain.rank && best.length < kLong; ++dims) {
    const Plan<kInputs> longer(functions, domain, dims, bytes);
    if (longer.buffered != 0) break;
    const size_t apart = longer.length / best.length * (kRow + best.length / functions.step * kMoving);
    if (best.length >= least && longer.fixed != 0 && longer.strips.packets > apart) break;
    best = longer;
  }
  return best.length >= least || best.first == 0 ? best : Plan<kInputs>(functions, domain, domain.rank, bytes);
}

/// Copies bytes, and up to a vector behind them.
inline __attribute__((noinline)) void copy_over(uint8_t* to, const uint8_t* from, size_t bytes) {
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
OPKG_SMALL inline void fill_repeated(uint8_t* to, const uint8_t* run, size_t bytes, size_t period, size_t phase, size_t count) {
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

/// Each of `n` elements `run` times, and up to a vector behind them.
template <typename T>
__attribute__((noinline)) void fill_each(uint8_t* to, const uint8_t* from, size_t run, size_t n) {
#if OPKG_HVX
  const size_t more = run * sizeof(T) - 1;
  OPKG_UNROLL(1)
  for (; n != 0; --n, from += sizeof(T), to += more + 1) {
    const HVX_Vector v = hvx::splat<T>(from);
    hvx::store_unaligned(to, v);
    OPKG_UNROLL(1)
    for (size_t done = kAlignment; done <= more; done += kAlignment) hvx::store_unaligned(to + done, v);
  }
#else
  for (; n != 0; --n, from += sizeof(T)) {
    for (size_t k = 0; k < run; ++k, to += sizeof(T)) memcpy(to, from, sizeof(T));
  }
#endif
}

/// The same of elements of so many bytes.
inline void fill_each(uint8_t* to, const uint8_t* from, size_t bytes, size_t run, size_t n) {
  if (bytes == 1) return fill_each<uint8_t>(to, from, run, n);
  if (bytes == 2) return fill_each<uint16_t>(to, from, run, n);
  fill_each<uint32_t>(to, from, run, n);
}

/// Copies `count` elements of an input, from element `at` of a row on, into the order of the output: as many at a time as follow
/// each other in it, with those that come several times where it is broadcast along the last dimension.
template <uint32_t kInputs>
OPKG_SMALL void fill_walk(uint8_t* to, const Plan<kInputs>& plan, const Domain<kInputs>& domain, uint32_t input,
                          const uint8_t* row, size_t bytes, size_t at, size_t count) {
  uint32_t dim = domain.rank - 1;
  const size_t each = (domain.broadcast[dim] >> input & 1) != 0 ? domain.extents[dim] : 1;  // times that an element comes
  if (each != 1 && dim > plan.first && (domain.broadcast[dim - 1] >> input & 1) == 0) --dim;
  const size_t run = dim == domain.rank - 1 ? domain.extents[dim] : domain.extents[dim] * each;
  Place<kInputs> place(domain, plan.first, dim, at / run);
  for (size_t inside = at % run; count > 0;) {
    const uint8_t* const from = row + (place.offset(input) + inside / each) * bytes;
    const size_t left = run - inside < count ? run - inside : count, begun = inside % each;
    const size_t whole = begun == 0 ? left / each : 0;
    size_t now = whole * each;
    if (each == 1) {
      copy_over(to, from, now * bytes);
    } else if (whole != 0) {
      fill_each(to, from, bytes, each, whole);
    } else {
      now = each - begun < left ? each - begun : left;
      fill_each(to, from, bytes, now, 1);
    }
    to += now * bytes;
    count -= now;
    inside += now;
    if (inside != run) continue;
    inside = 0;
    place.next();
  }
}

}  // namespace opkg::rowwise

#endif  // OPKG_ROWS_PLAN_H_

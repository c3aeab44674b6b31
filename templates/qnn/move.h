// Moves elements of tensors: views copied to where another view says. C++17.
#ifndef OPKG_MOVE_H_
#define OPKG_MOVE_H_

#include <type_traits>

#include "opkg/hvx_move.h"
#include "opkg/view.h"

namespace opkg {

/// The dimensions of a copy that are more than 1, neighbours joined: the smallest steps in the result first.
struct Copy {
  struct Dim {
    int64_t n = 1, to = 0, from = 0;
  };
  uint32_t rank = 0;
  Dim dims[2 * kMaxRank + 2];

  void add(const Dim& dim) {
    if (dim.n == 1) return;
    uint32_t k = rank++;
    for (; k > 0 && dims[k - 1].to > dim.to; --k) dims[k] = dims[k - 1];
    dims[k] = dim;
  }

  void join() {
    uint32_t last = 0;
    for (uint32_t k = 1; k < rank; ++k) {
      Dim& a = dims[last];
      if (dims[k].to == a.to * a.n && dims[k].from == a.from * a.n) {
        a.n *= dims[k].n;
      } else {
        dims[++last] = dims[k];
      }
    }
    for (uint32_t k = last + 1; k < rank; ++k) dims[k] = Dim();
    if (rank != 0) rank = last + 1;
  }
};

/// Each element by itself.
template <typename To, typename From, typename Convert>
void each(To* y, From* x, const Copy& copy, uint32_t rank, Convert convert) {
  if (rank == 0) {
    *y = convert(*x);
    return;
  }
  const Copy::Dim& dim = copy.dims[rank - 1];
  if (rank > 1) {
    for (int64_t k = 0; k < dim.n; ++k) each(y + k * dim.to, x + k * dim.from, copy, rank - 1, convert);
  } else {
    for (int64_t k = 0; k < dim.n; ++k) y[k * dim.to] = convert(x[k * dim.from]);
  }
}

/// The same for every one of several copies.
template <typename To, typename From, typename Convert>
void each(To* y, From* x, const Copy& copy, const Origins& origins, Convert convert) {
  constexpr intptr_t kTo = sizeof(To), kFrom = sizeof(From);
  for (size_t k = 0; k < origins.n; ++k) each(y + origins.to[k] / kTo, x + origins.from[k] / kFrom, copy, copy.rank, convert);
}

/// Elements as they are stored, by vectors where they do it.
template <typename T>
void copy_same(T* y, const T* x, const Copy& copy, const Origins& origins) {
#if OPKG_HVX
  hvx::Along dims[2 * kMaxRank + 2];
  for (uint32_t k = 0; k < copy.rank; ++k) {
    const Copy::Dim& dim = copy.dims[k];
    dims[k] = {static_cast<intptr_t>(dim.n), static_cast<intptr_t>(dim.to * sizeof(T)), static_cast<intptr_t>(dim.from * static_cast<int64_t>(sizeof(T)))};
  }
  if (hvx::copied(reinterpret_cast<uint8_t*>(y), reinterpret_cast<const uint8_t*>(x), dims, copy.rank, sizeof(T), origins, false)) return;
#endif
  each(y, x, copy, origins, [](T v) { return v; });
}
template <typename T>
void copy_same(T* y, const T* x, const Copy& copy) {
  const intptr_t here = 0;
  copy_same(y, x, copy, {1, &here, &here});
}

/// Elements as they are stored, or each by `convert`, of several copies.
template <typename To, typename From, typename Convert>
void copy_from(To* y, From* x, const Copy& dims, const Origins& origins, bool same, Convert convert) {
  if constexpr (std::is_same_v<std::remove_const_t<From>, To>) {
    if (same) return copy_same(y, x, dims, origins);
  }
  each(y, x, dims, origins, convert);
}

/// The same of one.
template <typename To, typename From, typename Convert>
bool copy(To* y, From* x, Copy& dims, bool same, Convert convert) {
  dims.join();
  const intptr_t begin = 0;
  for (uint32_t k = 0; k < dims.rank; ++k) {
    if (dims.dims[k].n == 0) return true;
  }
  copy_from(y, x, dims, {1, &begin, &begin}, same, convert);
  return true;
}

/// Copies elements to a view of the same shape, but for dimensions of 1 in front. `same`: as they are stored, else each by
/// `convert`. False: shapes differ.
template <typename To, typename From, typename Convert>
bool move(View<To> to, View<From> from, bool same, Convert convert) {
  while (to.valid && to.rank < from.rank) to = to.added(0);
  while (from.valid && from.rank < to.rank) from = from.added(0);
  if (!to.valid || !from.valid) return false;
  for (uint32_t k = 0; k < to.rank; ++k) {
    if (to.extents[k] != from.extents[k]) return false;
  }
  Copy dims;
  for (uint32_t k = to.rank; k-- > 0;) dims.add({to.extents[k], to.steps[k], from.steps[k]});
  return copy(to.data, from.data, dims, same, convert);
}

/// A view again and again along its dimensions, the last of which `times` are about.
template <typename To, typename From, typename Convert>
bool tile(const View<To>& to, const View<From>& from, const Counts& times, bool same, Convert convert) {
  if (!to.valid || !from.valid || to.rank != from.rank || times.n > to.rank || times.n == 0) return false;
  Copy dims;
  for (uint32_t k = to.rank; k-- > 0;) {
    const int64_t at = times.n + k - to.rank, again = at < 0 ? 1 : times.each[at];
    if (to.extents[k] != from.extents[k] * again) return false;
    dims.add({from.extents[k], to.steps[k], from.steps[k]});
    dims.add({again, to.steps[k] * from.extents[k], 0});
  }
  return copy(to.data, from.data, dims, same, convert);
}

/// A view amid `filling`: so many before and behind it along its dimensions, the last of which `ends` are about.
template <typename To, typename From, typename Convert>
bool pad(const View<To>& to, const View<From>& from, const Counts& ends, To filling, bool same, Convert convert) {
  if (!to.valid || !from.valid || to.rank != from.rank) return false;
  const View<To> amid = to.amid(ends);
  Copy dims;
  for (uint32_t k = 0; k < to.rank; ++k) {
    if (!amid.valid || amid.extents[k] != from.extents[k]) return false;
    dims.add({to.extents[k], to.steps[k], 0});
  }
  copy(to.data, static_cast<const To*>(&filling), dims, true, [](To v) { return v; });
  return move(amid, from, same, convert);
}

/// Tensors one after another along a dimension.
template <typename To>
class Join {
 public:
  Join(const View<To>& to, int64_t axis) : to_(to), axis_(to_.dim(axis, to.rank)) {}

  template <typename From, typename Convert>
  bool add(const View<From>& from, bool same, Convert convert) {
    if (!to_.valid || !from.valid || from.rank != to_.rank) return false;
    const int64_t first = at_;
    at_ += from.extents[axis_];
    if (at_ > to_.extents[axis_]) return false;
    return move(to_.range(axis_, first, at_, 1), from, same, convert);
  }

  bool full() const { return to_.valid && at_ == to_.extents[axis_]; }

 private:
  View<To> to_;
  uint32_t axis_;
  int64_t at_ = 0;
};

/// The parts of a table along a dimension that `places` number: below 0 from the end, beyond the ends the nearest.
template <typename To, typename From, typename Index, typename Number, typename Convert>
bool take(const View<To>& to, View<From> table, const View<Index>& places, int64_t axis, Number number, bool same,
          Convert convert) {
  const uint32_t along = table.dim(axis, table.rank);
  if (!to.valid || !table.valid || !places.valid || table.rank == 0) return false;
  if (to.rank + 1 != table.rank + places.rank || table.extents[along] == 0) return false;
  for (uint32_t k = 0; k < places.rank; ++k) {
    if (to.extents[along + k] != places.extents[k]) return false;
  }
  if (to.size() == 0) return true;
  View<To> part = to;
  for (uint32_t k = 0; k < places.rank; ++k) part = part.place(along, 0);
  const View<From> one = table.place(along, 0);
  Copy dims;
  for (uint32_t k = part.rank; k-- > 0;) {
    if (part.extents[k] != one.extents[k]) return false;
    dims.add({part.extents[k], part.steps[k], one.steps[k]});
  }
  dims.join();
  constexpr size_t kAtOnce = 64;
  intptr_t there[kAtOnce], here[kAtOnce];
  int64_t at[kMaxRank] = {};
  for (int64_t left = places.size(); left > 0;) {
    Origins origins = {0, there, here};
    for (; origins.n < kAtOnce && left > 0; --left, ++origins.n) {
      Index* index = places.data;
      int64_t first = 0;
      for (uint32_t k = 0; k < places.rank; ++k) index += at[k] * places.steps[k], first += at[k] * to.steps[along + k];
      const int64_t n = table.extents[along];
      int64_t place = number(*index);
      place = place < 0 ? place + n : place;
      place = place < 0 ? 0 : place >= n ? n - 1
                                         : place;
      there[origins.n] = static_cast<intptr_t>(first * static_cast<int64_t>(sizeof(To)));
      here[origins.n] = static_cast<intptr_t>(place * table.steps[along] * static_cast<int64_t>(sizeof(From)));
      for (uint32_t k = places.rank; k-- > 0 && ++at[k] == places.extents[k];) at[k] = 0;
    }
    copy_from(part.data, one.data, dims, origins, same, convert);
  }
  return true;
}

}  // namespace opkg

#endif  // OPKG_MOVE_H_

// Copies random views of tensors with opkg/move.h and each element by itself, and counts what differs. test_kernels_move.py
// reads the output.
#include "opkg/move.h"

#ifdef __hexagon__
extern "C" int opkg_write_all(int, const void*, size_t);
#else
#include <cstdio>
#endif
#include <cstdlib>

static uint32_t state = 12345;
static uint32_t random_below(uint32_t n) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % n;
}

template <typename T>
struct Room {  // a tensor that ends where its memory does
  opkg::Tensor<T> tensor;
  uint8_t* memory;
  size_t bytes;

  Room(uint32_t rank, const uint32_t* dims, uint32_t shift) {
    size_t count = 1;
    for (uint32_t k = 0; k < rank; ++k) count *= tensor.dims[k] = dims[k];
    tensor.rank = rank;
    bytes = count * sizeof(T) + shift;
    memory = static_cast<uint8_t*>(malloc(bytes));
    for (size_t k = 0; k < bytes; ++k) memory[k] = static_cast<uint8_t>(random_below(256));
    tensor.data = reinterpret_cast<T*>(memory + shift);
  }
  ~Room() { free(memory); }
};

static const uint32_t kExtents[] = {1, 2, 3, 5, 8, 16, 17, 33, 64, 100, 130, 257, 1000};

/// Numbers that differ, 1 for a copy that was refused.
template <typename T>
static uint32_t one_copy() {
  const uint32_t rank = 1 + random_below(4);
  uint32_t wanted[4], from_dims[4], to_dims[4], order[4], at[4], first[4];
  int step[4];
  size_t total = 1;
  for (uint32_t k = 0; k < rank; ++k) {
    wanted[k] = kExtents[random_below(13)];
    if (total * wanted[k] > 30000) wanted[k] = 1 + random_below(3);
    total *= wanted[k];
    order[k] = k;
  }
  const uint32_t plain = random_below(3);
  for (uint32_t k = rank; k > 1 && plain != 0; --k) {
    const uint32_t other = random_below(k), kept = order[k - 1];
    order[k - 1] = order[other];
    order[other] = kept;
  }
  uint32_t inverse[4];
  for (uint32_t k = 0; k < rank; ++k) inverse[order[k]] = k;
  for (uint32_t k = 0; k < rank; ++k) {  // dimension k of the source is dimension inverse[k] of the result
    const uint32_t n = wanted[inverse[k]];
    static const int kSteps[] = {1, 1, 1, 1, 2, 3, -1, -2};
    step[k] = plain == 1 ? 1 : kSteps[random_below(8)];
    at[k] = random_below(3) == 0 ? random_below(4) : 0;
    const uint32_t apart = static_cast<uint32_t>(step[k] < 0 ? -step[k] : step[k]);
    from_dims[k] = at[k] + (n - 1) * apart + 1 + (random_below(3) == 0 ? random_below(4) : 0);
    first[k] = random_below(3) == 0 ? random_below(5) : 0;
  }
  for (uint32_t k = 0; k < rank; ++k) to_dims[k] = first[k] + wanted[k] + (random_below(3) == 0 ? random_below(5) : 0);
  const uint32_t shift = random_below(3) == 0 ? 0 : sizeof(T) * random_below(128 / sizeof(T));
  const uint32_t start = state;
  Room<T> source(rank, from_dims, shift), result(rank, to_dims, sizeof(T) * random_below(128 / sizeof(T)));
  state = start;
  Room<T> same(rank, from_dims, shift), expected(rank, to_dims, sizeof(T) * random_below(128 / sizeof(T)));
  auto from = opkg::view(source.tensor);
  auto to = opkg::view(result.tensor);
  auto reference = opkg::view(expected.tensor);
  for (uint32_t k = 0; k < rank; ++k) {
    const int64_t n = wanted[inverse[k]], last = at[k] + (n - 1) * (step[k] < 0 ? -step[k] : step[k]);
    from = step[k] > 0 ? from.range(k, at[k], last + 1, step[k]) : from.range(k, last, at[k] == 0 ? opkg::kOpen : at[k] - 1, step[k]);
    to = to.range(k, first[k], first[k] + wanted[k], 1);
    reference = reference.range(k, first[k], first[k] + wanted[k], 1);
  }
  from = from.ordered(order, rank, false);
  const auto keep = [](T v) { return v; };
  if (!opkg::move(to, from, true, keep)) return 1;
  if (!opkg::move(reference, from, false, keep)) return 1;
  uint32_t differ = 0;
  for (size_t k = 0; k < result.bytes; ++k) differ += result.memory[k] != expected.memory[k];
  return differ;
}

int main() {
  uint32_t found[2] = {};  // copies that went wrong, the state before the first of them
  for (uint32_t k = 0; k < OPKG_COPIES; ++k) {
    const uint32_t before = state;
    const uint32_t wrong = k % 4 == 0 ? one_copy<uint8_t>() : k % 4 == 1 ? one_copy<uint16_t>()
                                                          : k % 4 == 2   ? one_copy<uint32_t>()
                                                                         : one_copy<uint64_t>();
    if (wrong != 0 && found[0]++ == 0) found[1] = before;
  }
#ifdef __hexagon__
  opkg_write_all(1, found, sizeof found);
#else
  fwrite(found, sizeof found, 1, stdout);
#endif
  return 0;
}

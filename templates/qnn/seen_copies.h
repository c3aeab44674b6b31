// Copies of elements of parts of tensors: whole parts as they are stored, and rows that are brought together.
#ifndef OPKG_SEEN_COPIES_H_
#define OPKG_SEEN_COPIES_H_

#include <type_traits>

#include "opkg/move.h"

namespace opkg::rowwise {

/// Copies elements as they are stored. The steps of `dims` are bytes.
template <typename T>
OPKG_RARE void copy_elements(void* to, const void* from, Copy& dims) {
  constexpr int64_t kSize = sizeof(T);
  for (uint32_t k = 0; k < dims.rank; ++k) dims.dims[k].to /= kSize, dims.dims[k].from /= kSize;
  dims.join();
  copy_same(static_cast<T*>(to), static_cast<const T*>(from), dims);
}

/// The same of elements of so many bytes.
inline void copy_elements(uint32_t bytes, void* to, const void* from, Copy& dims) {
  if (bytes == 1) return copy_elements<uint8_t>(to, from, dims);
  if (bytes == 2) return copy_elements<uint16_t>(to, from, dims);
  if (bytes == 4) return copy_elements<uint32_t>(to, from, dims);
  return copy_elements<uint64_t>(to, from, dims);
}

/// The same of rows that are in one piece. Nothing behind them is written.
inline __attribute__((noinline)) void copy_pieces(uint8_t* to, const uint8_t* from, intptr_t rows, intptr_t to_row, intptr_t from_row, size_t bytes) {
#if OPKG_HVX
  const hvx::OnePiece piece = {bytes};
  for (; rows != 0; --rows, to += to_row, from += from_row) piece.copy(to, from);
#else
  for (; rows != 0; --rows, to += to_row, from += from_row) memcpy(to, from, bytes);
#endif
}

inline void copy_rows(uint32_t bytes, void* to, const void* from, const Copy::Dim& element, const Copy::Dim& row, const Copy::Dim& plane) {
  const intptr_t size = bytes;
  if (element.to == size && element.from == size && element.n * size >= 16 && plane.n == 1) {
    return copy_pieces(static_cast<uint8_t*>(to), static_cast<const uint8_t*>(from), static_cast<intptr_t>(row.n), static_cast<intptr_t>(row.to),
                       static_cast<intptr_t>(row.from), static_cast<size_t>(element.n * size));
  }
  Copy dims;
  dims.add(element);
  dims.add(row);
  dims.add(plane);
  copy_elements(bytes, to, from, dims);
}

/// Bytes at the beginning of a buffer, so many times. A vector behind them may be written.
inline void again(uint8_t* buffer, size_t bytes, size_t times) {
#if OPKG_HVX
  const uint8_t* const end = buffer + bytes * times;
  const size_t on = bytes < hvx::kBytes ? bytes : hvx::kBytes;
  for (uint8_t* to = buffer + bytes; to < end; to += on) hvx::store_unaligned(to, hvx::load_unaligned(to - bytes));
#else
  for (size_t k = 1; k < times; ++k) memcpy(buffer + k * bytes, buffer, bytes);
#endif
}

/// Of kernels that only move elements: kCopied, of which input each output may be a copy, and `copies`, whether it is.
template <typename Rows, typename = void>
struct Copies {
  static const uint32_t* of(const Rows&) { return nullptr; }
};
template <typename Rows>
struct Copies<Rows, std::void_t<decltype(Rows::kCopied)>> {
  static const uint32_t* of(const Rows& rows) { return rows.copies ? Rows::kCopied : nullptr; }
};

}  // namespace opkg::rowwise

#endif  // OPKG_SEEN_COPIES_H_

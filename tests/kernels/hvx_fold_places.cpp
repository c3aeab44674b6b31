// Sums and extremes of rows and columns that lie in several places, in memory that ends where they do, beside plain loops.
#include "opkg/hvx_fold_places.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <random>

namespace {

using namespace opkg::hvx;

struct NoFunction {};

enum class Kind { sum,
                  largest,
                  smallest };

/// `n` rows of `width` columns of `count` elements, one after another, in each of `places`.
struct Shape {
  size_t width, count, n, places;

  size_t row() const { return width * count; }
  size_t size() const { return row() * n * places; }
};

/// Elements of one end, of the other, of both, or any.
template <typename T>
T some(uint32_t style, std::mt19937& random) {
  constexpr T kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  const uint32_t bits = random();
  return style == 0 ? kLow : style == 1 ? kHigh
                         : style == 2   ? (bits % 2 != 0 ? kLow : kHigh)
                                        : static_cast<T>(bits);
}

template <typename T, Kind kKind>
int64_t expected(const T* in, const Shape& shape, size_t row, size_t column) {
  int64_t all = kKind == Kind::sum ? 0 : in[row * shape.row() + column];
  for (size_t i = 0; i < shape.places * shape.count; ++i) {
    const size_t place = i / shape.count, at = i % shape.count;
    const int64_t now = in[(place * shape.n + row) * shape.row() + at * shape.width + column];
    all = kKind == Kind::sum ? all + now : kKind == Kind::largest ? std::max(all, now)
                                                                  : std::min(all, now);
  }
  return all;
}

/// What words say of a result: of a sum without what vectors added.
template <typename Found, size_t kVectors>
int64_t result(const HVX_Vector (&words)[Found::kParts][kVectors], size_t at, size_t count) {
  int64_t all = 0;
  for (uint32_t part = 0; part < Found::kParts; ++part) {
    int32_t word;
    memcpy(&word, reinterpret_cast<const char*>(words[part]) + 4 * at, sizeof(word));
    all += (word - (Found::kAdds[part] ? int64_t{Found::kOffset[part]} * static_cast<int64_t>(count) : 0)) * (part == 0 ? 1 : 65536);
  }
  return all;
}

template <typename Found, typename T, Kind kKind>
bool same(const Shape& shape, std::mt19937& random) {
  constexpr size_t kRoom = 1024;
  const std::unique_ptr<T[]> in(new T[shape.size()]);
  for (size_t i = 0, style = random() % 4; i < shape.size(); ++i) in[i] = some<T>(static_cast<uint32_t>(style), random);
  const AllFoldedPlaces<Found> folded = shape.width == 1 ? AllFoldedPlaces<Found>(shape.count * sizeof(T)) : AllFoldedPlaces<Found>(sizeof(T), shape.width, shape.count);
  static HVX_Vector found[Found::kParts][(kRoom + Found::kLanes) / 32 + 1];
  const size_t rows = std::min(shape.n, kRoom / folded.room() * folded.rows), first = random() % (shape.n - rows + 1);
  const auto* const at = reinterpret_cast<const uint8_t*>(in.get());
  folded.fold(NoFunction(), at + first * shape.row() * sizeof(T), at + shape.size() * sizeof(T), (rows + folded.rows - 1) / folded.rows, shape.places,
              shape.n * shape.row() * sizeof(T), found);
  for (size_t k = 0; k < rows * shape.width; ++k) {
    const int64_t is = result<Found>(found, k / folded.results() * folded.room() + k % folded.results(), shape.count * shape.places);
    const int64_t should = expected<T, kKind>(in.get(), shape, first + k / shape.width, k % shape.width);
    if (is == should) continue;
    printf("%zu bytes, %zu columns of %zu, %zu rows in %zu places: result %zu is %lld, not %lld\n", sizeof(T), shape.width, shape.count, shape.n, shape.places, k,
           static_cast<long long>(is), static_cast<long long>(should));
    return false;
  }
  return true;
}

template <typename Found, typename T, Kind kKind>
bool many() {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    Shape shape = {1 + (random() % 4 == 0 ? 0 : random() % (64 / std::max<size_t>(sizeof(T), 2))), 2 + random() % (random() % 4 == 0 ? 300 : 20), 1 + random() % (random() % 4 == 0 ? 1500 : 40),
                   1 + random() % (random() % 3 == 0 ? 60 : 5)};
    while (shape.size() > 30000) shape.n = (shape.n + 1) / 2, shape.places = (shape.places + 1) / 2;
    if (!same<Found, T, kKind>(shape, random)) return false;
  }
  return true;
}

}  // namespace

int main() {
  const bool sums = many<Found<Sum8<int8_t>>, int8_t, Kind::sum>() && many<Found<Sum16<uint16_t>>, uint16_t, Kind::sum>() && many<Found<SumLow, SumTop>, int32_t, Kind::sum>();
  const bool extremes = many<Found<Extreme<uint8_t, true>>, uint8_t, Kind::largest>() && many<Found<Extreme<int16_t, false>>, int16_t, Kind::smallest>() &&
                        many<Found<Extreme<int32_t, true>>, int32_t, Kind::largest>();
  return sums && extremes ? 0 : 1;
}

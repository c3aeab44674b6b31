// Smooth functions of what is computed in 16 bits on the way, with results of 8 bits.
#ifndef OPKG_HVX_CURVE_INNER_H_
#define OPKG_HVX_CURVE_INNER_H_

#include "opkg/hvx_curve.h"
#include "opkg/scalar.h"

namespace opkg {
namespace fixed {

/// How far on one side of 0 (`way` 1 or -1) results change, for numbers of up to 2^24: beyond it they are within a 20th of a step
/// of one number, wherever that is looked at: four times to a power of two, and where sigmoids and the like of `argument` are not
/// those of its ends (up to 40), once for each unit of it. 0: they change there, too.
template <typename Stored, typename Argument>
double reach(const Stored& stored, const Argument& argument, double way) {
  constexpr double kRatio = 0.84089641525371454, kEnd = 40.0;
  const double last = stored(way * 16777216.0);
  const auto alike = [&](double from, double to) {
    const double begin = argument(way * from), end = argument(way * to);
    const bool outside = smaller(begin, end) > kEnd || larger(begin, end) < -kEnd;
    const double turns = outside ? 1.0 : std::ceil(smaller(std::fabs(end - begin), 4096.0)) + 1.0;
    bool found = std::fabs(end - begin) <= 4096.0 || outside;
    for (double turn = 1.0; turn <= turns && found; turn += 1.0) {
      found = std::fabs(stored(way * (from + (to - from) * turn / turns)) - last) <= 0.05;
    }
    return found;
  };
  double at = 16777216.0;
  while (at > 1e-9 && alike(at, at * kRatio)) at *= kRatio;
  return at < 16777216.0 ? at : 0.0;
}

/// Sets the steps of x, and the curve of what is stored of function(x) in 8 bits, from 128 on: 64 times that, so that results
/// of twice the range are curves, too. `zero`: of the result, from 0 to 255. False: a result may be more than one step off. x is
/// a step and a half off at most, and so a quarter of a step of the result; the curve an eighth.
template <typename Function, typename Argument>
bool fit_of_bytes(Curve& curve, Steps& inner, const Function& function, const Argument& argument, float scale, int32_t zero) {
  const auto stored = [&](double x) {
    return smaller(larger(function(x) / static_cast<double>(scale) + zero, -1.0), 256.0);
  };
  const double low = reach(stored, argument, -1.0), high = reach(stored, argument, 1.0);
  if (!(low > 0.0 && high > 0.0)) return false;
  const float step = static_cast<float>((low + high) / 65535.0);
  inner.scale = static_cast<double>(step);
  inner.zero = static_cast<int64_t>(std::floor(low / inner.scale + 0.5));
  constexpr int32_t kApart = 64;
  const auto at = [&](int32_t place) { return stored(static_cast<double>(place - inner.zero) * inner.scale); };
  double steepest = 0.0;
  for (int32_t place = 0; place < 65536; place += kApart) steepest = larger(steepest, std::fabs(at(place + kApart) - at(place)));
  if (!(steepest * 1.5 <= 0.25 * kApart)) return false;
  return curve.fit<uint16_t, uint16_t>(function, argument, step, static_cast<int32_t>(inner.zero), scale / 64.0f, 64 * (zero - 128) + 32768, 256, 8.0);
}

}  // namespace fixed
}  // namespace opkg

#endif  // OPKG_HVX_CURVE_INNER_H_

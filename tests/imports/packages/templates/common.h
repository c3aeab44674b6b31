// What the kernels of this package share.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "HTP/core/tensor.h"

template <typename TOut, typename TIn, typename F>
inline void mapElements(TOut& out, const TIn& in, F f) {
  auto [bIn, hIn, wIn, dIn] = in.dims();
  for (Idx b = 0; b < bIn; b++) {
    for (Idx h = 0; h < hIn; h++) {
      for (Idx w = 0; w < wIn; w++) {
        for (Idx d = 0; d < dIn; d++) out(b, h, w, d) = f(float(in(b, h, w, d)));
      }
    }
  }
}

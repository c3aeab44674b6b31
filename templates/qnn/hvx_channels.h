// Numbers of 32 channels, each again and again in the vectors of a step: as blocks of these channels have them. C++17.
#ifndef OPKG_HVX_CHANNELS_H_
#define OPKG_HVX_CHANNELS_H_

#include "opkg/hvx_blocks.h"

#if OPKG_HVX

namespace opkg::hvx {

/// How an input has its numbers, and what a step takes of them.
struct Channels {
  uint32_t run;    ///< bytes of 32 channels: 32, 64 or 128
  uint32_t parts;  ///< vectors of a step, which are all alike
  bool pairs;      ///< pixels of 16 bits lie in pairs, whose elements alternate
};

/// A control of vdelta that has the first `run` bytes again and again.
OPKG_INLINE HVX_Vector first_run(uint32_t run) {
  const HVX_VectorPred below32 = Q6_Q_vsetq_R(32), below64 = Q6_Q_vsetq_R(64), below96 = Q6_Q_vsetq_R(96);
  const HVX_VectorPred odd = Q6_Q_or_QQn(Q6_Q_xor_QQ(below32, below64), below96);
  const HVX_Vector upper = Q6_V_vmux_QVV(below64, Q6_V_vzero(), Q6_Vb_vsplat_R(64));
  const HVX_Vector third = Q6_V_vmux_QVV(odd, Q6_Vb_vsplat_R(32), Q6_V_vzero());
  return Q6_V_vand_VV(Q6_V_vor_VV(upper, third), Q6_Vb_vsplat_R(static_cast<int32_t>(kBytes - run)));
}

/// Puts the steps of `count` times 32 channels, and tells where each is. The channels lie one behind the other, of the last ones
/// those that end after `bytes`; or in blocks of one pixel each, where `blocks` has their addresses.
inline __attribute__((noinline)) void put_channels(uint8_t* to, const void** places, const uint8_t* from, const void* const* blocks, size_t bytes,
                                                   size_t count, Channels how) {
  const HVX_Vector first = first_run(how.run);
  HVX_Vector found = first;
  uint32_t at = kBytes;
  OPKG_UNROLL(1)
  for (; count != 0; --count) {
    if (at == kBytes) {
      found = blocks != nullptr ? load_in_block(*blocks++) : load_some(from, bytes < kBytes ? bytes : kBytes);
      from += kBytes, bytes -= kBytes, at = blocks != nullptr ? kBytes - how.run : 0;
    }
    HVX_Vector v = Q6_V_vdelta_VV(found, first);
    if (how.pairs) v = blocks != nullptr ? Q6_Vh_vshuffe_VhVh(found, found) : Q6_V_lo_W(Q6_W_vshuff_VVR(v, v, -2));
    at += how.run, found = Q6_V_vror_VR(found, static_cast<int32_t>(how.run));  // to the next 32 channels
    *places++ = to;
    store(to, v);
    to += kBytes;
    OPKG_UNROLL(1)
    for (uint32_t part = 1; part < how.parts; ++part, to += kBytes) store(to, v);
  }
}

}  // namespace opkg::hvx

#endif  // OPKG_HVX
#endif  // OPKG_HVX_CHANNELS_H_

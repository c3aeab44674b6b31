// ChannelShuffle: channel g * (C / groups) + i goes to i * groups + g.
#include "nn_layout/channel_shuffle.h"

namespace nn_layout {
namespace {

template <typename Args>
opkg::Status move(const Args& op) {
  const size_t channels = op.x.dim(-1);
  const size_t groups = op.num_groups;
  const size_t members = channels / groups;
  for (size_t row = 0; row < op.x.size(); row += channels) {
    for (size_t g = 0; g < groups; ++g) {
      for (size_t i = 0; i < members; ++i) op.y[row + i * groups + g] = op.x[row + g * members + i];
    }
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status channel_shuffle_u8(const ChannelShuffleArgsU8& op) { return move(op); }
opkg::Status channel_shuffle_f32(const ChannelShuffleArgsF32& op) { return move(op); }

}  // namespace nn_layout

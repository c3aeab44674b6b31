// ChannelShuffle: channel g * (C / groups) + i goes to i * groups + g.
#include "nn_edge/channel_shuffle.h"

namespace nn_edge {
namespace {

template <typename Args>
opkg::Status shuffle(const Args& op) {
  const size_t channels = op.x.dim(-1);
  const size_t groups = op.groups;
  const size_t members = channels / groups;
  for (size_t row = 0; row < op.x.size(); row += channels) {
    for (size_t from = 0; from < channels; ++from) {
      const size_t group = from / members;
      const size_t member = from % members;
      op.y[row + member * groups + group] = op.x[row + from];
    }
  }
  return opkg::Status::ok;
}

}  // namespace

opkg::Status channel_shuffle_f32(const ChannelShuffleArgsF32& op) { return shuffle(op); }
opkg::Status channel_shuffle_u8(const ChannelShuffleArgsU8& op) { return shuffle(op); }
opkg::Status channel_shuffle_i32(const ChannelShuffleArgsI32& op) { return shuffle(op); }

}  // namespace nn_edge

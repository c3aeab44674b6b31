// Calls that move pixels of tensors in blocks, as a prepared graph keeps them.
#ifndef OPKG_SEEN_PIXELS_KEPT_H_
#define OPKG_SEEN_PIXELS_KEPT_H_

#include <initializer_list>

#include "opkg/seen_around_kept.h"
#include "opkg/seen_pixels.h"

namespace opkg {

/// What lies around the part of a call; nothing.
template <typename Rows>
const Filling& filling_of(const KeptAmid<Rows>& call) {
  return call.filling();
}
template <typename Rows>
Filling filling_of(const KeptSeen<Rows>&) {
  return {};
}

/// A kept call whose tensors may lie in blocks: pixels move, and then take the result's scale where they are.
template <typename Call>
class KeptPixels : public Call {
 public:
  template <typename Args, typename... More>
  OPKG_SMALL KeptPixels(const Args& op, const std::initializer_list<SeenOperand>& inputs, const std::initializer_list<SeenOperand>& outputs,
                        const More&... more)
      : Call(op, inputs, outputs, more...) {
    if (!outputs.begin()->base.crouton() || (this->whole_blocks() && !Call::kAround)) return;
    moved_ = rowwise::SeenPixels(*inputs.begin(), *outputs.begin());
    whole_ = rowwise::of_whole_blocks(*this->kernel().functions);
    KeptCall::run = &KeptPixels::pixels;
  }

 private:
  static Status pixels(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptPixels& self = static_cast<const KeptPixels&>(call);
    if (!self.moved_.fits()) return Status::unsupported;
    constexpr size_t kAtOnce = rowwise::kBlocksAtOnce;
    alignas(rowwise::kAlignment) uint8_t none[rowwise::kAlignment];
    memcpy(none, filling_of(self).again, sizeof none);
    void* const* const from = memory.blocks(self.operand(0).base.blocks);
    void* const* const to = memory.blocks(self.operand(1).base.blocks);
    const size_t end = slice.end(self.moved_.count());
    rowwise::SeenPixels::Block block = self.moved_.begin(slice.begin(self.moved_.count()));
    for (size_t first = slice.begin(self.moved_.count()); first < end; first += kAtOnce) {
      const size_t count = end - first < kAtOnce ? end - first : kAtOnce;
      rowwise::SeenPixels::Block again = block;
      void* places[2][kAtOnce];
      for (size_t k = 0; k < count; ++k, self.moved_.step(block)) {
        places[0][k] = places[1][k] = to[first + k];
        self.moved_.write(block, static_cast<uint8_t*>(to[first + k]), from, none);
      }
      if (self.copies()) continue;
      rowwise::blocks_computed<1, 1>(self.kernel(), self.whole_, places, count, count * rowwise::kBlockBytes / self.operand(1).base.bytes);
      if (!self.moved_.has_none()) continue;
      for (size_t k = 0; k < count; ++k, self.moved_.step(again)) self.moved_.write_around(again, static_cast<uint8_t*>(to[first + k]), none);
    }
    return Status::ok;
  }

  rowwise::SeenPixels moved_;
  rowwise::VectorFunction whole_ = nullptr;
};

}  // namespace opkg

#endif  // OPKG_SEEN_PIXELS_KEPT_H_

// Calls that compute parts of tensors amid a number, as a prepared graph keeps them.
#ifndef OPKG_SEEN_AROUND_KEPT_H_
#define OPKG_SEEN_AROUND_KEPT_H_

#include <initializer_list>

#include "opkg/rows_seen_kept.h"
#include "opkg/seen_around.h"

namespace opkg {

/// Fills what lies around the output's part in each slice, then computes it.
template <typename Rows>
class KeptAmid : public KeptSeen<Rows> {
 public:
  static constexpr bool kAround = true;

  template <typename Args>
  OPKG_SMALL KeptAmid(const Args& op, const std::initializer_list<SeenOperand>& inputs, const std::initializer_list<SeenOperand>& outputs,
                      const Filling& filling)
      : KeptSeen<Rows>(op, inputs, outputs), filling_(filling), around_(*outputs.begin(), filling), part_(KeptCall::run) {
    this->cut_last();
    KeptCall::run = &KeptAmid::amid;
  }

  const Filling& filling() const { return filling_; }

 private:
  static Status amid(const KeptCall& call, const Memory& memory, Slice slice) {
    const KeptAmid& self = static_cast<const KeptAmid&>(call);
    if (!self.rows().valid()) return Status::unsupported;
    uint8_t* const data = static_cast<uint8_t*>(memory.data(self.output()));
    if (self.rows().size() != 0) {
      self.around_.fill(data, self.rows().cut(slice));
    } else if (slice.index == 0) {
      self.around_.fill_all(data);
    }
    return self.part_(call, memory, slice);
  }

  Filling filling_;
  rowwise::Around around_;
  KeptCall::Run part_;
};

}  // namespace opkg

#endif  // OPKG_SEEN_AROUND_KEPT_H_

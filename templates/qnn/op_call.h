// One op config as checks read it: its tensors and params, and the reason of a refusal.
#ifndef OPKG_OP_CALL_H_
#define OPKG_OP_CALL_H_

#include <cstdarg>
#include <cstdio>

#include "opkg/op_info.h"
#include "opkg/op_values.h"
#include "opkg/small.h"

namespace opkg {

OPKG_SMALL_BEGIN

/// Where refusals are reported; set by the interface, stderr until a backend gives its own sink.
void log_error(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// The tensors and params of one op config. The first failed check is logged and decides the result; later ones do nothing.
class OpCall : public Values {
 public:
  OpCall(const char* package, const Qnn_OpConfig_t& config) : config_(config.v1), package_(package) {}

  bool failed() const { return failed_; }
  Qnn_ErrorHandle_t result() const { return failed_ ? QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE : QNN_SUCCESS; }

  void fail(const char* format, ...) __attribute__((format(printf, 2, 3))) {
    if (failed_) return;
    failed_ = true;
    char reason[512];
    va_list args;
    va_start(args, format);
    std::vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    log_error("%s: %s '%s': %s", package_, config_.typeName, config_.name != nullptr ? config_.name : "", reason);
  }
  /// A condition of the spec. One that reads what the call does not have is not checked; one without a value fails.
  void require(bool holds, const char* message) {
    const Mark mark = take_mark();
    if (mark == Mark::error) fail("%s (%s)", message, why());
    if (mark == Mark::none && !holds) fail("%s", message);
  }
  /// After a value was computed: `what` has none when its expression has none.
  void settle(const char* what) {
    if (take_mark() != Mark::none) fail("%s: %s", what, why());
  }

  /// Kernels see params as inputs behind the op's own, so a call may give them as such: all of `names`, in this order, as
  /// static inputs, which is the form whose order every caller keeps. `needed`: some param has no default. Comes first.
  template <uint32_t kNames>
  void params_as_inputs(const char* const (&names)[kNames], uint32_t least, uint32_t most, bool needed) {
    const uint32_t given = config_.numOfInputs;
    if (config_.numOfParams != 0 || given < least + kNames || (given <= most && !needed)) return;
    for (uint32_t i = given - kNames; i < given; ++i) {
      if (!TensorInfo(config_.inputTensors[i]).is_static()) return;
    }
    inputs_ = given - kNames;
    names_ = names;
  }

  void count_inputs(uint32_t least, uint32_t most) { count("input", inputs_, least, most); }
  void count_outputs(uint32_t least, uint32_t most) { count("output", config_.numOfOutputs, least, most); }
  /// Kernels see inputs by position: absent ones at the end are left out.
  void no_null_at_end() {
    if (inputs_ != 0 && !input(inputs_ - 1)) {
      fail("the last input is null; leave absent inputs at the end out");
    }
  }
  /// How many tensors a variadic input or output has, beside `others`.
  uint32_t more_inputs(uint32_t others) const { return inputs_ > others ? inputs_ - others : 0; }
  uint32_t more_outputs(uint32_t others) const {
    return config_.numOfOutputs > others ? config_.numOfOutputs - others : 0;
  }

  TensorInfo input(uint32_t index) const {
    return index < inputs_ ? TensorInfo(config_.inputTensors[index]) : TensorInfo();
  }
  TensorInfo output(uint32_t index) const {
    return index < config_.numOfOutputs ? TensorInfo(config_.outputTensors[index]) : TensorInfo();
  }

  using Values::concat;
  /// Joined shape of `count` inputs from `first` on, along an axis.
  Shape concat(int64_t axis, uint32_t first, uint32_t count) {
    Shape result = input(first).shape();
    const int64_t at = axis < 0 ? axis + result.rank : axis;
    if (at < 0 || at >= result.rank) return no_value("axis outside the rank"), result;
    for (uint32_t i = 1; i < count; ++i) {
      const Shape other = input(first + i).shape();
      for (uint32_t d = 0; d < result.rank; ++d) {
        const bool fits = other.rank == result.rank && (d == at || other.dims[d] == result.dims[d]);
        if (!fits) return no_value("inputs differ outside the axis they are joined along"), result;
      }
      result.dims[at] += other.dims[at];
    }
    return result;
  }

 protected:
  ParamInfo find(const char* name) const {
    for (uint32_t i = inputs_; i < config_.numOfInputs && names_ != nullptr; ++i) {
      if (std::strcmp(names_[i - inputs_], name) == 0) return ParamInfo(config_.inputTensors[i]);
    }
    for (uint32_t i = 0; i < config_.numOfParams; ++i) {
      if (std::strcmp(config_.params[i].name, name) == 0) return ParamInfo(config_.params[i]);
    }
    return ParamInfo();
  }
  uint64_t null_inputs() const {
    uint64_t nulls = 0;
    for (uint32_t i = 0; i < inputs_ && i < 64; ++i) nulls |= uint64_t{!input(i)} << i;
    return nulls;
  }
  /// The names of the params given, in the caller's order.
  template <size_t kSize>
  void join_params(char (&text)[kSize]) const {
    text[0] = 0;
    const size_t given = config_.numOfParams + (config_.numOfInputs - inputs_);
    for (size_t i = 0, used = 0; i < given && used < kSize; ++i) {
      const char* name = names_ != nullptr ? names_[i] : config_.params[i].name;
      used += std::snprintf(text + used, kSize - used, i == 0 ? "%s" : ",%s", name);
    }
  }
  /// An element type as specs name it, "ufixed8": its number has the kind and, in decimal digits, the bits.
  static const char* print(Qnn_DataType_t type, char (&text)[12]) {
    static constexpr const char* kKinds[] = {"int", "uint", "float", "sfixed", "ufixed", "bool"};
    const unsigned number = static_cast<unsigned>(type);
    const bool known = number >> 8 < sizeof(kKinds) / sizeof(kKinds[0]);
    std::snprintf(text, sizeof text, "%s%x", known ? kKinds[number >> 8] : "0x", known ? number & 0xff : number);
    return text;
  }
  template <size_t kSize>
  static const char* print(const Shape& shape, char (&text)[kSize]) {
    if (!shape.valid) return "one that fits";
    size_t used = std::snprintf(text, kSize, "[");
    for (uint32_t i = 0; i < shape.rank && used < kSize; ++i) {
      used += std::snprintf(text + used, kSize - used, i == 0 ? "%lld" : ", %lld", static_cast<long long>(shape.dims[i]));
    }
    if (used < kSize) std::snprintf(text + used, kSize - used, "]");
    return text;
  }

  const Qnn_OpConfigV1_t& config_;
  uint32_t inputs_ = config_.numOfInputs;  // of the op itself
  const char* const* names_ = nullptr;     // of params that come as inputs

 private:
  void count(const char* what, uint32_t given, uint32_t least, uint32_t most) {
    if (given >= least && given <= most) return;
    if (least == most) {
      fail("%u %ss given, expected %u", given, what, least);
    } else {
      fail("%u %ss given, expected %u to %u", given, what, least, most);
    }
  }

  const char* package_;
  bool failed_ = false;
};

OPKG_SMALL_END

}  // namespace opkg

#endif  // OPKG_OP_CALL_H_

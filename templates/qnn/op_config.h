// Checks of a QNN op config: names, counts, element types, ranks, shapes and params, with a reason for each refusal.
#ifndef OPKG_OP_CONFIG_H_
#define OPKG_OP_CONFIG_H_

#include <cstdarg>
#include <cstdio>

#include "opkg/op_info.h"
#include "opkg/op_values.h"
#include "opkg/small.h"

namespace opkg {

OPKG_SMALL_BEGIN

/// Where refusals are reported; set by the interface, stderr until a backend gives its own sink.
void log_error(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// The checks of one op config. The first failed check is logged and decides the result; later ones do nothing.
class OpCheck : public Values {
 public:
  OpCheck(const char* package, const Qnn_OpConfig_t& config) : package_(package), config_(config.v1) {}

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

  /// Presence, rank and extents of a tensor.
  void check_tensor(const char* name, const TensorInfo& tensor, int64_t low, int64_t high) {
    if (!tensor) return fail("'%s' is missing", name);
    check_optional(name, tensor, low, high);
  }
  /// The same for one that may be absent.
  void check_optional(const char* name, const TensorInfo& tensor, int64_t low, int64_t high) {
    if (!tensor) return;
    if (tensor.rank() < low || tensor.rank() > high || !tensor.shape().valid) {
      const char* remedy = tensor.rank() == 0 ? "; give it the shape [1]" : "";
      fail("'%s' has rank %d, allowed is %d to %d%s", name, int(tensor.rank()), int(low), int(high), remedy);
    }
    if (tensor.is_static() && tensor.rank() == 5 && has_32_bits(tensor.dtype())) {
      fail("'%s' is a constant of rank 5 with elements of 32 bits, whose graph HTP does not prepare", name);
    }
    for (int64_t extent : tensor.shape()) {
      if (extent < 1) fail("'%s' has a dimension of extent 0", name);
    }
  }
  void expect_static(const char* name, const TensorInfo& tensor) {
    if (tensor && !tensor.is_static()) fail("'%s' must be a static tensor", name);
  }

  /// The row of `table` (one element type per tensor, inputs then outputs) that the tensors given match; -1: none.
  template <size_t kRows, size_t kColumns>
  int match_types(const Qnn_DataType_t (&table)[kRows][kColumns], const TensorInfo* const (&tensors)[kColumns]) {
    return match_types(table[0], kRows, tensors, kColumns);
  }
  int match_types(const Qnn_DataType_t* table, size_t rows, const TensorInfo* const* tensors, size_t columns) {
    if (failed_) return -1;
    for (size_t row = 0; row < rows; ++row) {
      bool matches = true;
      for (size_t i = 0; i < columns; ++i) matches &= !*tensors[i] || tensors[i]->dtype() == table[row * columns + i];
      if (matches) return static_cast<int>(row);
    }
    char seen[160] = "";
    char name[12];
    for (size_t i = 0, used = 0; i < columns && used < sizeof seen - sizeof name; ++i) {
      const char* type = *tensors[i] ? print(tensors[i]->dtype(), name) : "none";
      used += std::snprintf(seen + used, sizeof seen - used, " %s", type);
    }
    fail("no kernel for this combination of element types (inputs, then outputs):%s", seen);
    return -1;
  }

  /// The shape of an input; an expected one that the call does not determine fits anything.
  void expect_shape(const char* name, const TensorInfo& tensor, const Shape& expected) {
    const Mark mark = take_mark();
    if (failed_ || !tensor || mark == Mark::unknown) return;
    if (mark == Mark::error) return fail("shape of '%s': %s", name, why());
    if (fits(tensor.shape(), expected)) return;
    char want[128];
    char have[128];
    fail("'%s' has shape %s, expected %s", name, print(tensor.shape(), have), print(expected, want));
  }
  void expect_dim(const char* name, const TensorInfo& tensor, int64_t index, int64_t expected) {
    const Mark mark = take_mark();
    if (failed_ || !tensor || mark == Mark::unknown) return;
    if (mark == Mark::error) return fail("dimension %d of '%s': %s", int(index), name, why());
    if (tensor.dim(index) == expected) return;
    fail("dimension %d of '%s' is %lld, expected %lld", int(index), name, static_cast<long long>(tensor.dim(index)),
         static_cast<long long>(expected));
  }
  /// The same for an output, whose shape every call determines.
  void expect_output(const char* name, const TensorInfo& tensor, const Shape& expected) {
    if (marked()) return settle_shape(name);
    expect_shape(name, tensor, expected);
  }
  void expect_output_dim(const char* name, const TensorInfo& tensor, int64_t index, int64_t expected) {
    if (marked()) return settle_shape(name);
    expect_dim(name, tensor, index, expected);
  }

  /// ONNX has no bool attributes: kernels take int32 for all bools of a call, where it gives all params in the spec's order.
  template <uint32_t kNames>
  void bools_as_ints(const char* const (&names)[kNames]) {
    int_bools_ = names_ != nullptr || config_.numOfParams == kNames;
    for (uint32_t i = 0; i < config_.numOfParams && i < kNames; ++i) {
      int_bools_ &= std::strcmp(config_.params[i].name, names[i]) == 0;
    }
  }

  /// Finds a param by name and checks its type and kind. ONNX has no unsigned attributes: int32 stands for uint32.
  ParamInfo param(const char* name, Qnn_DataType_t type, bool mandatory, bool scalar) {
    const ParamInfo found = find(name);
    if (!found) {
      if (mandatory) fail("param '%s' is missing", name);
      return found;
    }
    const bool is_scalar = found.is_scalar() || (names_ != nullptr && scalar && found.size() == 1);
    if (is_scalar != scalar) fail("param '%s' must be a %s", name, scalar ? "scalar" : "tensor");
    if (!found.is_scalar() && found.shape().rank == 0) fail("param '%s' has rank 0; give it the shape [1]", name);
    const bool is_bool = type == QNN_DATATYPE_BOOL_8 && scalar;
    const bool is_int = found.dtype() == QNN_DATATYPE_INT_32;
    if (found.dtype() != type && !(is_int && (type == QNN_DATATYPE_UINT_32 || (is_bool && int_bools_)))) {
      char have[12];
      char want[12];
      fail("param '%s' has element type %s, expected %s", name, print(found.dtype(), have), print(type, want));
    } else if (found.dtype() != type && !failed_) {
      expect_limits(name, found, 0, is_bool ? 1 : std::numeric_limits<int32_t>::max());
    }
    if (is_bool) bools_seen_ |= is_int ? 2 : 1;
    if (bools_seen_ == 3 || (bools_seen_ == 1 && names_ != nullptr)) {
      fail("param '%s': the bools of a call are all int32 or none is, and as inputs they are", name);
    }
    if (!failed_ && type == QNN_DATATYPE_FLOAT_32) expect_finite(name, found);
    return found;
  }

  /// Whether a computed default fits the param's element type.
  void expect_limits(const char* name, int64_t value, int64_t low, int64_t high) {
    if (value < low || value > high) fail("param '%s' is %lld by default", name, static_cast<long long>(value));
  }
  void expect_limits(const char* name, const ParamInfo& param, int64_t low, int64_t high) {
    for (int64_t i = 0; i < param.size(); ++i) expect_limits(name, param.integer(i), low, high);
  }
  void expect_finite(const char* name, double value) {
    if (value - value != 0.0) fail("param '%s' is not finite", name);
  }
  void expect_finite(const char* name, const ParamInfo& param) {
    for (int64_t i = 0; i < param.size(); ++i) expect_finite(name, param.number(i));
  }
  /// The extent that the number of elements of a tensor param leaves for its one open dimension; -1: none.
  int64_t open_dim(const ParamInfo& param, const Shape& others) {
    const int64_t rest = others.product();
    const bool known = take_mark() == Mark::none && rest > 0 && param.size() % rest == 0;
    return known ? param.size() / rest : -1;
  }
  /// The shape of a tensor param; defaults have a number of elements only.
  void expect_param_shape(const char* name, const ParamInfo& param, const Shape& expected) {
    const Mark mark = take_mark();
    if (failed_ || mark == Mark::unknown) return;
    if (mark == Mark::error) return fail("shape of param '%s': %s", name, why());
    if (param ? fits(param.shape(), expected) : expected.valid && param.size() == expected.product()) return;
    char want[128];
    fail("param '%s' has %lld elements, its shape must be %s", name, static_cast<long long>(param.size()),
         print(expected, want));
  }
  /// A param with named values: `known` says whether it is one of them, `names` is all of them, "nearest (0), linear (1)".
  void expect_named(const char* name, int64_t value, bool known, const char* names) {
    if (!known) fail("param '%s' is %lld, which is none of %s", name, static_cast<long long>(value), names);
  }
  /// A param that numbers a dimension of a tensor, from the end when negative.
  void expect_axis(const char* name, int64_t axis, const TensorInfo& tensor, bool from_end) {
    if (!tensor || (axis < tensor.rank() && axis >= (from_end ? -tensor.rank() : 0))) return;
    fail("param '%s' is %lld, which numbers no dimension of a tensor of rank %d", name, static_cast<long long>(axis),
         int(tensor.rank()));
  }

  /// One whose tensor may have fewer dimensions than the four that kernels see: they find it from the end alone.
  void expect_axis_from_end(const char* name, int64_t axis, const TensorInfo& tensor) {
    expect_axis(name, axis, tensor, true);
    if (failed_ || !tensor || axis < 0) return;
    fail("param '%s' is %lld; kernels see ranks below 4 padded in front: count from the end, %lld", name,
         static_cast<long long>(axis), static_cast<long long>(axis) - tensor.rank());
  }

  /// Every param given must be one of `names`, and none may be given twice.
  void known_params(std::initializer_list<const char*> names) {
    for (uint32_t i = 0; i < config_.numOfParams; ++i) {
      int known = 0;
      for (const char* name : names) known += std::strcmp(config_.params[i].name, name) == 0 ? 1 : 0;
      if (known == 0) fail("unknown param '%s'", config_.params[i].name);
      for (uint32_t j = 0; j < i; ++j) {
        if (std::strcmp(config_.params[i].name, config_.params[j].name) == 0) {
          fail("param '%s' is given twice", config_.params[i].name);
        }
      }
    }
  }

  /// A kernel sees params by position: the names given, in order, joined by commas, must be one of `orders`.
  void param_order(std::initializer_list<const char*> orders) {
    if (failed_) return;
    char given[512];
    join_params(given);
    for (const char* order : orders) {
      if (std::strcmp(order, given) == 0) return;
    }
    fail("params (%s) can not be told apart in this number and order; give (%s)", given,
         orders.size() != 0 ? *orders.begin() : "");
  }

  /// The same for orders that depend on the element types and on which inputs are given.
  template <size_t kCount>
  void param_order(const ParamOrder (&orders)[kCount], int row) {
    if (failed_) return;
    char given[512];
    join_params(given);
    const char* first = nullptr;
    for (const ParamOrder& order : orders) {
      if (order.row != row || order.inputs != inputs_ || order.nulls != null_inputs()) continue;
      if (std::strcmp(order.names, given) == 0) return;
      if (first == nullptr) first = order.names;
    }
    fail("params (%s) can not be told apart in this number and order; give (%s)", given, first != nullptr ? first : "");
  }

  /// Dimensions as a set of bits, bit 0 for the last one.
  static constexpr uint32_t kEveryPlace = 0xFF;
  static constexpr uint32_t kTwice = 0x100;  // beside them: in two copies
  template <typename Axes>
  static uint32_t places(const Axes& axes, int64_t rank) {
    uint32_t found = 0;
    for (int64_t axis : axes) {
      const int64_t place = axis < 0 ? -1 - axis : rank - 1 - axis;
      if (place >= 0 && place < Shape::kMaxRank) found |= 1u << place;
    }
    return found;
  }
  bool at_most_four() const {
    for (uint32_t i = 0; i < inputs_; ++i) {
      if (input(i).rank() > 4) return false;
    }
    return output(0).rank() <= 4;
  }
  /// Whether the op can be laid out in four dimensions: neighbouring ones are joined where the same tensors have more than
  /// one element, but for those up to the last of `whole`.
  bool joins(uint32_t whole) const {
    uint32_t groups = 0;
    uint64_t before = 0;
    for (uint32_t place = 0; place < Shape::kMaxRank; ++place) {
      uint64_t wide = 0;
      for (uint32_t i = 0; i < inputs_ && i < 64; ++i) {
        const TensorInfo tensor = input(i);
        wide |= uint64_t{place < tensor.rank() && tensor.dim(-1 - int64_t{place}) > 1} << i;
      }
      const bool pinned = whole >> place != 0;
      groups += pinned || (wide != 0 && wide != before) ? 1 : 0;
      if (pinned || wide != 0) before = pinned ? 0 : wide;
    }
    return groups <= 4;
  }
  /// The same set for a tensor of signed elements of 8 bits, which the backend makes unsigned in tiles of its own: any with
  /// rows of 32 KiB, and single images of one line; else in one piece.
  static uint32_t whole_of_signed(const TensorInfo& tensor, uint32_t whole) {
    const int64_t row = tensor.dim(-1), lines = tensor.rank() > 1 ? tensor.dim(-2) : 1;
    if (row <= 32 << 10) return whole == kEveryPlace ? 0x1 : whole | 0x1;
    return whole != kEveryPlace && row * lines == tensor.size() ? whole | 0x1 : kEveryPlace;
  }
  /// The same set for a tensor of signed elements of 16 bits, which the backend makes unsigned in one piece: one of five
  /// dimensions lies beside its copy in a call that is not cut.
  static uint32_t whole_of_wide(const TensorInfo& tensor, uint32_t whole) {
    return whole == kEveryPlace && tensor.rank() > 4 ? kEveryPlace | kTwice : kEveryPlace;
  }
  /// What each tile has whole of a tensor, the dimensions `whole`, passes through the tightly coupled memory in one piece,
  /// and so must fit there; constants need not. Comes last: a graph with more fails when it is finalized.
  void expect_piece(const char* name, const TensorInfo& tensor, uint32_t whole) {
    if (failed_ || !tensor || tensor.is_static()) return;
    const int64_t most = (whole & kTwice) != 0 ? 2 << 20 : 4 << 20;
    int64_t bytes = bytes_of(tensor.dtype());
    for (int64_t place = 0; place < tensor.rank(); ++place) {
      if (whole >> place & 1) bytes *= tensor.dim(-1 - place);
    }
    if (bytes <= most) return;
    fail("%lld bytes of '%s' cannot be cut into tiles, and HTP takes at most %lld in one piece",
         static_cast<long long>(bytes), name, static_cast<long long>(most));
  }
  /// Many images of signed elements: beyond a size the backend does not finalize the graph, or copies beyond their end.
  void expect_images(const char* name, const TensorInfo& tensor) {
    if (failed_ || !tensor || tensor.is_static() || tensor.rank() != 4) return;
    const bool byte = bytes_of(tensor.dtype()) == 1;
    if (tensor.dim(0) <= (byte ? 128 : 1)) return;
    const int64_t bytes = bytes_of(tensor.dtype()) * tensor.size(), most = byte ? 4 << 20 : 1 << 20;
    if (bytes <= most) return;
    fail("%lld bytes of '%s' in %lld images: of signed elements HTP takes at most %lld", static_cast<long long>(bytes), name,
         static_cast<long long>(tensor.dim(0)), static_cast<long long>(most));
  }

  /// Quantization. Tensors that are not of a fixed-point type pass everywhere.
  void expect_per_tensor(const char* name, const TensorInfo& tensor, bool is_input) {
    if (failed_ || !tensor || !tensor.is_fixed_point()) return;
    if (tensor.per_axis()) return fail("'%s' must be quantized per tensor, not per channel", name);
    if (!tensor.per_tensor()) {
      if (is_input || tensor.is_quantized()) fail("'%s' has no scale and offset", name);
    } else if (!(tensor.scale() > 0.0) || tensor.scale() - tensor.scale() != 0.0) {
      fail("'%s' has scale %g, it must be positive", name, tensor.scale());
    }
  }
  void expect_per_axis(const char* name, const TensorInfo& tensor, int64_t axis, bool is_input, bool symmetric) {
    if (failed_ || !tensor || !tensor.is_fixed_point()) return;
    if (!tensor.is_quantized() && !is_input) return;
    const int64_t wanted = axis < 0 ? axis + tensor.rank() : axis;
    if (!tensor.per_axis() || tensor.channels().axis != wanted) {
      return fail("'%s' must be quantized per channel of dimension %d", name, int(wanted));
    }
    const Qnn_AxisScaleOffset_t& channels = tensor.channels();
    if (tensor.dim(wanted) != channels.numScaleOffsets) {
      return fail("'%s' has %u scales for %d channels", name, channels.numScaleOffsets, int(tensor.dim(wanted)));
    }
    for (uint32_t i = 0; symmetric && i < channels.numScaleOffsets; ++i) {
      if (channels.scaleOffset[i].offset != symmetric_offset(tensor.dtype())) {
        return fail("'%s' must have offset %d in every channel", name, int(symmetric_offset(tensor.dtype())));
      }
    }
  }
  void expect_same_quantization(const char* name, const TensorInfo& tensor, const TensorInfo& other) {
    if (!has_scale(tensor) || !has_scale(other)) return;
    if (tensor.scale() != other.scale() || tensor.offset() != other.offset()) {
      fail("'%s' has scale %g and offset %d, must be %g and %d as its source", name, tensor.scale(),
           int(tensor.offset()), other.scale(), int(other.offset()));
    }
  }
  void expect_scale(const char* name, const TensorInfo& tensor, double scale) {
    if (!has_scale(tensor) || tensor.scale() == static_cast<float>(scale)) return;
    fail("'%s' has scale %g, must be %g", name, tensor.scale(), scale);
  }
  void expect_offset(const char* name, const TensorInfo& tensor, int64_t offset) {
    if (!has_scale(tensor) || tensor.offset() == offset) return;
    fail("'%s' has offset %d, must be %d", name, int(tensor.offset()), int(offset));
  }
  /// Zero lies in the middle of the stored range.
  void expect_symmetric(const char* name, const TensorInfo& tensor) {
    expect_offset(name, tensor, symmetric_offset(tensor.dtype()));
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

 private:
  void settle_shape(const char* name) {
    take_mark();
    fail("shape of '%s': %s", name, why());
  }
  static bool has_scale(const TensorInfo& tensor) {
    return tensor && tensor.is_fixed_point() && tensor.per_tensor();
  }
  uint64_t null_inputs() const {
    uint64_t nulls = 0;
    for (uint32_t i = 0; i < inputs_ && i < 64; ++i) nulls |= uint64_t{!input(i)} << i;
    return nulls;
  }
  /// Whether a shape is what is expected. Callers write what has no dimensions as [1]: HTP prepares only inputs without.
  static bool fits(const Shape& shape, const Shape& expected) {
    return shape == expected || (expected.valid && expected.rank == 0 && shape == Shape{1});
  }
  ParamInfo find(const char* name) const {
    for (uint32_t i = inputs_; i < config_.numOfInputs && names_ != nullptr; ++i) {
      if (std::strcmp(names_[i - inputs_], name) == 0) return ParamInfo(config_.inputTensors[i]);
    }
    for (uint32_t i = 0; i < config_.numOfParams; ++i) {
      if (std::strcmp(config_.params[i].name, name) == 0) return ParamInfo(config_.params[i]);
    }
    return ParamInfo();
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
  void count(const char* what, uint32_t given, uint32_t least, uint32_t most) {
    if (given >= least && given <= most) return;
    if (least == most) {
      fail("%u %ss given, expected %u", given, what, least);
    } else {
      fail("%u %ss given, expected %u to %u", given, what, least, most);
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

  const char* package_;
  const Qnn_OpConfigV1_t& config_;
  uint32_t inputs_ = config_.numOfInputs;  // of the op itself
  const char* const* names_ = nullptr;     // of params that come as inputs
  bool int_bools_ = false;
  int bools_seen_ = 0;  // 1: of their own type, 2: as int32
  bool failed_ = false;
};

OPKG_SMALL_END

}  // namespace opkg

#endif  // OPKG_OP_CONFIG_H_

"""The kernel files of specs/struct.yaml."""

HEAD = '#include "many_parts_pkg_x/@.h"\n\nnamespace many_parts_pkg_x {\n'
TAIL = "}  // namespace many_parts_pkg_x\n"


def _file(stem: str, text: str) -> str:
    return HEAD.replace("@", stem) + text + TAIL


KERNELS = {
    "kernels/all.cpp": '#include "many_parts_pkg_x/affine.h"\n'
    + _file(
        "scale",
        """
template <typename Args>
opkg::Status scale_all(const Args& op) {
  for (size_t i = 0; i < op.y.size(); ++i) {
    const float y = op.x.load(i) * op.factor + static_cast<float>(op.bias);
    op.y.store(i, op.flip ? -y : y);
  }
  return opkg::Status::ok;
}
opkg::Status scale_f32(const ScaleArgsF32& op) { return scale_all(op); }
opkg::Status scale_u8(const ScaleArgsU8& op) { return scale_all(op); }

opkg::Status affine_f32(const AffineArgsF32& op) {
  const size_t n = op.x.size();
  const size_t c = op.x.dim(-1);
  for (size_t i = op.slice.begin(n); i < op.slice.end(n); ++i) {
    float y = op.x[i];
    if (op.count) y *= op.count[i % c];
    if (op.first) y += op.first[i % c];
    op.out[i] = y;
  }
  return opkg::Status::ok;
}
""",
    ),
    "kernels/top.cpp": _file(
        "top",
        """
opkg::Status top_f32(const TopArgsF32& op) {
  const size_t c = op.x.dim(-1);
  for (size_t i = 0; i < op.y.size(); ++i) {
    float best = op.x[i * c];
    for (size_t j = 1; j < c; ++j) best = op.x[i * c + j] > best ? op.x[i * c + j] : best;
    op.y[i] = op.keep ? best : -best;
  }
  return opkg::Status::ok;
}
""",
    ),
    "kernels/halves.cpp": _file(
        "halves",
        """
template <typename Args>
opkg::Status halves(const Args& op) {
  for (size_t i = 0; i < op.even.size(); ++i) {
    op.even[i] = op.x[2 * i];
    op.odd[i] = op.x[2 * i + 1];
  }
  return opkg::Status::ok;
}
opkg::Status halves_f32(const HalvesArgsF32& op) { return halves(op); }
opkg::Status halves_u16(const HalvesArgsU16& op) { return halves(op); }
""",
    ),
    "kernels/blocks.cpp": _file(
        "blocks",
        """
template <typename Args>
opkg::Status blocks(const Args& op) {
  for (uint32_t n = 0; n < op.x.dim(0); ++n)
    for (uint32_t h = 0; h < op.x.dim(1); ++h)
      for (uint32_t w = 0; w < op.x.dim(2); ++w)
        for (uint32_t c = 0; c < op.x.dim(3); ++c) {
          using E = typename std::remove_reference_t<decltype(op.y)>::Element;
          op.y.at(n, h, w, c) = static_cast<E>(op.x.at(n, h, w, c) + 1);
        }
  return opkg::Status::ok;
}
opkg::Status blocks_u8_crouton(const BlocksArgsU8Crouton& op) { return blocks(op); }
opkg::Status blocks_u16_crouton(const BlocksArgsU16Crouton& op) { return blocks(op); }
opkg::Status blocks_i32(const BlocksArgsI32& op) {
  for (size_t i = 0; i < op.y.size(); ++i) op.y[i] = op.x[i] + 1;
  return opkg::Status::ok;
}
""",
    ),
    "kernels/negate.cpp": _file(
        "negate",
        """
opkg::Status negate_f32(const NegateArgsF32& op) {
  for (size_t i = 0; i < op.y.size(); ++i) op.y[i] = -op.x[i];
  return opkg::Status::ok;
}
""",
    ),
    "kernels/sum.cpp": _file(
        "sum",
        """
template <typename Args>
opkg::Status sum(const Args& op) {
  for (size_t i = 0; i < op.y.size(); ++i) {
    const float a = op.a.load(opkg::broadcast_index(op.a, op.y, i));
    op.y.store(i, a + op.b.load(opkg::broadcast_index(op.b, op.y, i)));
  }
  return opkg::Status::ok;
}
opkg::Status sum_f32(const SumArgsF32& op) { return sum(op); }
opkg::Status sum_u8(const SumArgsU8& op) { return sum(op); }
opkg::Status sum_i32(const SumArgsI32& op) { return sum(op); }
""",
    ),
    "kernels/join.cpp": _file(
        "join",
        """
opkg::Status join_f32(const JoinArgsF32& op) {
  const size_t width = op.y.dim(-1);
  const size_t rows = op.y.size() / width;
  size_t at = 0;
  for (const auto& x : op.xs) {
    const size_t c = x.dim(-1);
    for (size_t r = 0; r < rows; ++r)
      for (size_t i = 0; i < c; ++i) {
        op.y[r * width + at + i] = x[r * c + i] * (op.mode == JoinArgsF32::ModeValue::doubled ? 2.0f : 1.0f);
      }
    at += c;
  }
  return opkg::Status::ok;
}
""",
    ),
    "kernels/taps.cpp": _file(
        "taps",
        """
opkg::Status taps_f32(const TapsArgsF32& op) {
  if (op.taps.rank != 2 || op.taps.dim(0) != 2 || op.on.size() != 3) return opkg::Status::error;
  float sum = static_cast<float>(op.pads[0] * 100 + op.pads[1]);
  for (size_t i = 0; i < 4; ++i) sum += op.taps[i] * static_cast<float>(i + 1);
  for (size_t i = 0; i < 3; ++i) sum += op.on[i] ? 1000.0f * static_cast<float>(1 + i) : 0.0f;
  for (size_t i = 0; i < op.y.size(); ++i) op.y[i] = op.x[i] * sum;
  return opkg::Status::ok;
}
""",
    ),
    "kernels/collide.cpp": _file(
        "collide",
        """
opkg::Status collide_f32(const CollideArgsF32& op) {
  const size_t n = op.out.size();
  for (size_t i = op.slice_.begin(n); i < op.slice_.end(n); ++i) {
    const float more = op.slice ? op.slice[i] : 0.0f;
    op.out[i] = op.check_[i] * op.in_ + static_cast<float>(op.row_) + more + (op.handle ? 1000.0f : 0.0f);
  }
  return opkg::Status::ok;
}
""",
    ),
}

// Buffers, the kernel call, and what it must not have done.
// SPDX-License-Identifier: Apache-2.0
#include "classic_call.h"

#include <cstring>
#include <exception>

#include "HTP/opkg/layout.h"
#include "guarded.h"
#include "leaks.h"
#include "progress.h"

namespace opkg {
namespace {

// Storage of one operand: one part when flat, one part for each block of a crouton.
class OperandBuffer {
 public:
  OperandBuffer(const ClassicOperand& operand, const CallStyle& style)
      : value_(*operand.value), record_(describe(operand)), bytes_(htpTypeSize(value_.dtype)) {
    const bool crouton = record_.layout == kOpkgCrouton;
    const size_t blocks = crouton ? opkg_sim::crouton_blocks(bytes_, record_.dims) : 1;
    const size_t part = crouton ? opkg_sim::kCroutonBytes : value_.size();
    if (part == 0 || blocks == 0) return;  // an absent optional input
    // Kernels of this interface find their tensors aligned.
    const Place place = style.place == Place::kByteEnd ? Place::kLineEnd : style.place;
    buffer_ = GuardedBuffer(value_.name.c_str(), part, blocks, place, bytes_);
    buffer_.fill(style.poison);
    if (!crouton) {
      record_.data = buffer_.part();
      return;
    }
    for (size_t i = 0; i < blocks; i++) table_.push_back(buffer_.part(i));
    record_.blocks = table_.data();
    record_.block_count = table_.size();
  }

  OpkgTensor* record() { return &record_; }
  const ClassicValue& value() const { return value_; }

  void load() {
    if (value_.bytes.empty()) return;
    if (record_.layout == kOpkgCrouton) buffer_.fill(0);  // padding of croutons
    each([this](size_t i, char* element) { memcpy(element, &value_.bytes[i * bytes_], bytes_); });
  }
  void store(std::vector<uint8_t>* bytes) {
    bytes->resize(value_.size());
    each([&](size_t i, const char* element) { memcpy(&(*bytes)[i * bytes_], element, bytes_); });
  }
  bool guardsIntact(std::string* message) const { return buffer_.parts() == 0 || buffer_.check(message); }

  // Where an input differs from what was loaded: an element's byte offset in dense order, or -1.
  long changedAt() {
    long found = -1;
    each([&](size_t i, const char* element) {
      if (found < 0 && memcmp(element, &value_.bytes[i * bytes_], bytes_) != 0) found = long(i * bytes_);
    });
    return found;
  }

 private:
  // f(index in dense order, address) for every element, by the graph's dimensions whatever the kernel set.
  template <typename F>
  void each(F f) {
    if (buffer_.parts() == 0) return;
    if (record_.layout == kOpkgFlat) {
      char* first = reinterpret_cast<char*>(buffer_.part());
      for (size_t i = 0; i < value_.elements(); i++) f(i, first + i * bytes_);
      return;
    }
    const uint64_t* dims = value_.dims;
    size_t i = 0;
    for (size_t b = 0; b < dims[0]; b++) {
      for (size_t h = 0; h < dims[1]; h++) {
        for (size_t w = 0; w < dims[2]; w++) {
          for (size_t d = 0; d < dims[3]; d++, i++) {
            const opkg_sim::Place place = opkg_sim::crouton_place(bytes_, dims, b, h, w, d);
            f(i, reinterpret_cast<char*>(buffer_.part(place.block)) + place.offset * bytes_);
          }
        }
      }
    }
  }

  ClassicValue& value_;
  OpkgTensor record_;
  size_t bytes_;
  GuardedBuffer buffer_;
  std::vector<void*> table_;
};

Outcome failed(const ClassicCall& call, uint64_t code, const std::string& text) {
  return Outcome::error("execute", code, call.node + ": " + kernelName(*call.kernel) + " " + text);
}

Outcome invoke(const ClassicCall& call, std::vector<OpkgTensor*>* tensors, uint64_t* us) {
  const uint64_t start = nowMicros();
  int status = 0;
  const KernelScope scope;
  try {
    status = call.kernel->run(tensors->data());
  } catch (const std::exception& thrown) {
    return failed(call, 1100, std::string("threw ") + thrown.what());
  } catch (...) {
    return failed(call, 1100, "threw an exception");
  }
  *us += nowMicros() - start;
  if (status == 0) return Outcome();
  const std::string text =
      std::string("returned ") + graphStatusName(status) + " (" + std::to_string(status) + ")";
  return failed(call, static_cast<uint32_t>(status), text);
}

// The graph fixes every output's dimensions; a kernel may repeat them, not change them.
Outcome checkDims(const ClassicCall& call, OperandBuffer* output) {
  const OpkgTensor& record = *output->record();
  const std::string expected = dimsText(output->value().dims);
  if (record.refused != 0) {
    return failed(call, 2,
                  "called set_dims on " + output->value().name + " for more than its " +
                      std::to_string(record.capacity) + " elements; the graph says " + expected);
  }
  const std::string actual = dimsText(record.dims);
  if (actual == expected) return Outcome();
  return failed(call, 2, "set " + output->value().name + " to " + actual + "; the graph says " + expected);
}

Outcome checkBuffers(const ClassicCall& call, std::vector<OperandBuffer>* buffers) {
  for (OperandBuffer& buffer : *buffers) {
    std::string message;
    if (!buffer.guardsIntact(&message)) return {"guard", "execute", 0, message};
  }
  for (size_t i = call.kernel->outputs; i < buffers->size(); i++) {
    const long at = (*buffers)[i].changedAt();
    if (at < 0) continue;
    const std::string name = (*buffers)[i].value().name;
    return {"guard", "execute", 0, name + ": the kernel changed its input at byte " + std::to_string(at)};
  }
  return Outcome();
}

}  // namespace

Outcome runKernel(const ClassicCall& call, const CallStyle& style, uint64_t* us) {
  std::vector<OperandBuffer> buffers;
  buffers.reserve(call.operands.size());
  std::vector<OpkgTensor*> tensors;
  for (const ClassicOperand& operand : call.operands) {
    buffers.emplace_back(operand, style);
    tensors.push_back(buffers.back().record());
  }
  const size_t outputs = call.kernel->outputs;
  for (size_t i = outputs; i < buffers.size(); i++) buffers[i].load();
  progress().at("execute", call.node.c_str());
  progress().inKernel(kernelName(*call.kernel).c_str());
  Outcome outcome = invoke(call, &tensors, us);
  const Outcome written = checkBuffers(call, &buffers);
  if (!written.ok()) return written;
  for (size_t i = 0; i < outputs && outcome.ok(); i++) {
    outcome = checkDims(call, &buffers[i]);
    buffers[i].store(&call.operands[i].value->bytes);
    call.operands[i].value->known = true;
  }
  return outcome;
}

}  // namespace opkg

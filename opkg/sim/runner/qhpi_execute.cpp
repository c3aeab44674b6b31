// Runs kernels op by op. Between ops, values are dense bytes; each kernel gets them in the layout it asked
// for.
// SPDX-License-Identifier: Apache-2.0
#include "qhpi_execute.h"

#include <cstring>

#include "progress.h"
#include "qhpi_launch.h"

namespace opkg {
namespace {

Outcome kernelFailed(const QHPI_Op& op, const char* stage, const char* what, uint32_t status) {
  const char* name = status == 1 ? " (unsupported)" : status == 2 ? " (error)" : "";  // of opkg::Status
  return Outcome::error(
      stage, 1100,
      op.node + ": " + what + " of " + op.kernel->function_name + " returned " + std::to_string(status) + name);
}

// Offset of an element in a row-major shape.
uint64_t rowMajor(const QHPI_Shape& shape, const uint32_t* index) {
  uint64_t at = 0;
  for (uint32_t d = 0; d < shape.rank; ++d) at = at * shape.dims[d] + index[d];
  return at;
}

// Copies a box of rows: `box` elements of `size` bytes from `from` at `from_start` to `to` at `to_start`.
void copyBox(const QHPI_Shape& box, size_t size, const uint8_t* from, const QHPI_Shape& from_shape,
             const uint32_t* from_start, uint8_t* to, const QHPI_Shape& to_shape, const uint32_t* to_start) {
  uint32_t index[QHPI_MAX_RANK] = {};
  const uint32_t last = box.rank - 1;
  const uint64_t rows = shapeElements(box) / (box.dims[last] != 0 ? box.dims[last] : 1);
  for (uint64_t row = 0; row < rows; ++row) {
    uint32_t source[QHPI_MAX_RANK], target[QHPI_MAX_RANK];
    for (uint32_t d = 0; d < box.rank; ++d) {
      source[d] = from_start[d] + index[d];
      target[d] = to_start[d] + index[d];
    }
    memcpy(to + rowMajor(to_shape, target) * size, from + rowMajor(from_shape, source) * size,
           box.dims[last] * size);
    for (uint32_t d = last; d-- > 0;) {
      if (++index[d] < box.dims[d]) break;
      index[d] = 0;
    }
  }
}

}  // namespace

QhpiExecution::QhpiExecution(QhpiGraph* graph, const Case& test)
    : graph_(*graph), test_(test), order_(graph->live()) {
  for (const QHPI_Op* op : order_) {
    for (size_t i = 0; i < op->outputs.size(); ++i) slot(op, static_cast<uint32_t>(i));
    if (op->kind == OpKind::kConstant) slot(op, 0) = op->data;
  }
  loadInputs(CallStyle());
}

void QhpiExecution::loadInputs(const CallStyle& style) {
  for (const QHPI_Op* op : order_) {
    if (op->kind != OpKind::kInput) continue;
    uint32_t index = 0;
    for (const TensorSpec& tensor : test_.tensors) {
      if (tensor.kind != TensorKind::kInput || index++ != op->first_input) continue;
      const Arrival kind = arrival(tensor.dtype);
      slot(op, 0) = inputBytes(tensor.data, tensor.size, elementSize(kind.type), style);
      shiftElements(&slot(op, 0), elementSize(kind.type), kind.zero_shift);
    }
  }
}

std::vector<uint8_t>& QhpiExecution::slot(const QHPI_Op* op, uint32_t output) {
  if (op->id >= values_.size()) values_.resize(op->id + 1);
  if (output >= values_[op->id].size()) values_[op->id].resize(output + 1);
  return values_[op->id][output];
}

const std::vector<uint8_t>& QhpiExecution::value(QHPI_OpRef ref) const {
  return values_[ref.op->id][ref.output_number];
}

// The case's name for a tensor of an op, where it has one; tiles share the names of the op they are of.
std::string QhpiExecution::tensorName(const QHPI_Op& op, const char* side, size_t index) const {
  for (const NodeSpec& node : test_.nodes) {
    if (node.name != op.node) continue;
    const std::vector<std::string>& names = side[0] == 'i' ? node.inputs : node.outputs;
    if (index < names.size()) return names[index];
    if (side[0] == 'i' && index - names.size() < node.params.size())
      return node.params[index - names.size()].name;
  }
  return op.node + "." + side + std::to_string(index);
}

// Whether output 0 takes the place of input 0: as the backend, only when nothing else needs that input.
bool QhpiExecution::worksInPlace(const QHPI_Op& op, const OpTensors& tensors) const {
  if (!op.kernel->source_destructive || op.inputs.empty() || op.inputs[0].op->kind == OpKind::kConstant)
    return false;
  const QHPI_Tensor& input = tensors.inputs[0];
  const QHPI_Tensor& output = tensors.outputs[0];
  if (input.layout != output.layout || input.storedBytes() != output.storedBytes()) return false;
  const auto same = [&](const QHPI_OpRef& ref) {
    return ref.op == op.inputs[0].op && ref.output_number == op.inputs[0].output_number;
  };
  uint32_t uses = 0;
  for (const QHPI_Op* user : order_) {
    for (const QHPI_OpRef& ref : user->inputs) uses += same(ref) ? 1 : 0;
  }
  for (const QhpiGraph::Output& graph_output : graph_.outputs) uses += same(graph_output.ref) ? 1 : 0;
  return uses == 1;
}

std::unique_ptr<QhpiExecution::OpTensors> QhpiExecution::allocate(const QHPI_Op& op, const CallStyle& style) {
  auto tensors = std::make_unique<OpTensors>();
  tensors->inputs = inputTensors(op, *op.kernel);
  tensors->outputs = outputTensors(op, *op.kernel);
  for (QHPI_Tensor& input : tensors->inputs) tensors->in.push_back(&input);
  for (QHPI_Tensor& output : tensors->outputs) tensors->out.push_back(&output);
  place(op, tensors.get(), style);
  return tensors;
}

// New memory for an op's tensors.
void QhpiExecution::place(const QHPI_Op& op, OpTensors* tensors, const CallStyle& style) {
  for (size_t i = 0; i < tensors->inputs.size(); ++i) tensors->inputs[i].allocate(tensorName(op, "input", i), style);
  for (size_t i = 0; i < tensors->outputs.size(); ++i) {
    QHPI_Tensor& output = tensors->outputs[i];
    if (i == 0 && worksInPlace(op, *tensors)) {
      output.shareMemoryOf(tensors->inputs[0]);
    } else {
      output.allocate(tensorName(op, "output", i), style);
    }
  }
}

void QhpiExecution::fillInputs(const QHPI_Op& op, OpTensors* tensors, bool precomputing) {
  for (size_t i = 0; i < tensors->inputs.size(); ++i) {
    const bool in_ddr = tensors->inputs[i].placement == QHPI_MemLoc_DDR_Only;
    if (precomputing && (op.inputs[i].op->kind != OpKind::kConstant || !in_ddr))
      continue;  // TCM is not loaded yet
    if (op.inputs[i].op->kind == OpKind::kShape) continue;
    tensors->inputs[i].write(value(op.inputs[i]));
  }
}

// Canary bytes of every buffer, and inputs that a kernel may not change.
Outcome QhpiExecution::checkMemory(const QHPI_Op& op, const OpTensors& tensors) {
  std::string message;
  const auto violation = [&](const std::string& text) {
    return Outcome{"guard", "execute", 0, text + " in " + op.node + " (" + op.kernel->function_name + ")"};
  };
  for (const QHPI_Tensor& output : tensors.outputs) {
    if (!output.memory->check(&message)) return violation(message);
  }
  for (size_t i = 0; i < tensors.inputs.size(); ++i) {
    const QHPI_Tensor& input = tensors.inputs[i];
    if (!input.memory->check(&message)) return violation(message);
    const bool shared = !tensors.outputs.empty() && input.memory == tensors.outputs[0].memory;
    if (!shared && input.read() != value(op.inputs[i])) {
      return violation("tensor " + tensorName(op, "input", i) + ": the kernel wrote to its input");
    }
  }
  if (tensors.data.parts() > 0 && !tensors.data.check(&message)) return violation(message);
  return Outcome();
}

Outcome QhpiExecution::precomputeOp(QHPI_Op* op, CaseResult* result) {
  const QHPI_Kernel_v1& kernel = *op->kernel;
  if (kernel.function_with_precomputed_data == nullptr) {
    if (kernel.precomputed_data_size == 0) return Outcome();
    return {"crash", "finalize", 11,
            op->node + ": precomputed_data_size without precomputation crashes the backend"};
  }
  progress().at("precompute", op->node.c_str());
  if (op->id >= precomputed_.size()) precomputed_.resize(op->id + 1);
  for (int pass = 0; pass < 2; ++pass) {
    std::unique_ptr<OpTensors> tensors = allocate(*op, CallStyle());
    tensors->data = GuardedBuffer((op->node + " precomputed data").c_str(), kernel.precomputed_data_size);
    tensors->data.fill(pass == 0 ? 0x5C : 0xD3);  // never zero
    fillInputs(*op, tensors.get(), true);
    addTrace(result, "precompute " + op->node + (pass == 0 ? " (dirty buffer)" : ""));
    QHPI_RuntimeHandle handle;
    const uint32_t status = kernel.do_precomputation_function(
        &handle, tensors->data.part(), static_cast<uint32_t>(tensors->out.size()), tensors->out.data(),
        static_cast<uint32_t>(tensors->in.size()), tensors->in.data());
    if (status != 0) return kernelFailed(*op, "precompute", "precomputation", status);
    std::string message;
    if (!tensors->data.check(&message)) return {"guard", "precompute", 0, message};
    precomputed_[op->id] = std::move(tensors);
  }
  return Outcome();
}

Outcome QhpiExecution::precompute(CaseResult* result) {
  for (QHPI_Op* op : order_) {
    if (op->kind != OpKind::kPackage) continue;
    const Outcome outcome = precomputeOp(op, result);
    if (!outcome.ok()) return outcome;
  }
  return Outcome();
}

namespace {

// Which bytes of an op's outputs each slice writes: a byte that two of them write depends on which comes last.
class SliceWrites {
 public:
  SliceWrites(const std::vector<QHPI_Tensor>& outputs, uint8_t poison) : outputs_(outputs), poison_(poison) {
    for (const QHPI_Tensor& output : outputs_) {
      const size_t size = output.memory->parts() * output.memory->partSize();
      whole_.emplace_back(size, poison);
      writer_.emplace_back(size, kNobody);
    }
  }

  // Takes what a slice wrote, and the memory back to what it was. False, and what happened: another wrote there, too.
  bool take(uint32_t slice, std::string* message) {
    bool alone = true;
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const GuardedBuffer& memory = *outputs_[i].memory;
      for (size_t part = 0, at = 0; part < memory.parts(); ++part) {
        for (size_t k = 0; k < memory.partSize(); ++k, ++at) {
          if (memory.part(part)[k] == poison_) continue;
          if (writer_[i][at] != kNobody && alone) {
            *message = std::string(outputs_[i].memory->name()) + ": slices " + std::to_string(slice) + " and " +
                       std::to_string(writer_[i][at]) + " both write the byte at offset " + std::to_string(k);
            alone = false;
          }
          whole_[i][at] = memory.part(part)[k];
          writer_[i][at] = slice;
        }
      }
      memory.fill(poison_);
    }
    return alone;
  }

  // Puts together what the slices wrote.
  void finish() const {
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const GuardedBuffer& memory = *outputs_[i].memory;
      for (size_t part = 0; part < memory.parts(); ++part)
        memcpy(memory.part(part), &whole_[i][part * memory.partSize()], memory.partSize());
    }
  }

 private:
  static constexpr uint8_t kNobody = 255;
  const std::vector<QHPI_Tensor>& outputs_;
  uint8_t poison_;
  std::vector<std::vector<uint8_t>> whole_, writer_;
};

}  // namespace

// Slices that cannot wait for each other run one after the other, each into untouched memory.
Outcome QhpiExecution::launch(QHPI_Op* op, const CallStyle& style, OpTensors* tensors) {
  const QHPI_Kernel_v1& kernel = *op->kernel;
  Launch launch{&kernel, tensors->out, tensors->in, tensors->data.parts() > 0 ? tensors->data.part() : nullptr};
  const uint32_t slices = settings().slices != 0 ? settings().slices : style.slices;
  const bool together = style.concurrently || settings().slices != 0 || kernel.sync_block_size > 0;
  bool shared = false;
  for (const QHPI_Tensor& output : tensors->outputs) {
    for (const QHPI_Tensor& input : tensors->inputs) shared = shared || output.memory == input.memory;
  }
  uint32_t status = 0;
  std::string overlap;
  if (!kernel.multithreaded || together || shared) {
    status = launchKernel(launch, slices, together, [](uint32_t) { return true; });
  } else {
    SliceWrites writes(tensors->outputs, style.poison);
    status = launchKernel(launch, slices, false, [&](uint32_t slice) { return writes.take(slice, &overlap); });
    writes.finish();
  }
  const Outcome memory = checkMemory(*op, *tensors);
  if (!memory.ok()) return memory;
  if (!overlap.empty()) {
    return {"guard", "execute", 0, "tensor " + overlap + " in " + op->node + " (" + kernel.function_name + ")"};
  }
  return status == 0 ? Outcome() : kernelFailed(*op, "execute", "kernel", status);
}

Outcome QhpiExecution::runKernel(QHPI_Op* op, const CallStyle& style, CaseResult* result) {
  // What is computed beforehand may hold handles of tensors. Their memory has stayed the same in the backend, too, but
  // nobody says that it must: here it is new in each call.
  const bool kept = op->id < precomputed_.size() && precomputed_[op->id] != nullptr;
  std::unique_ptr<OpTensors> own = kept ? nullptr : allocate(*op, style);
  OpTensors* const tensors = kept ? precomputed_[op->id].get() : own.get();
  if (kept) place(*op, tensors, style);
  fillInputs(*op, tensors, false);
  addTrace(result, "execute " + op->node + " " + op->kernel->function_name);
  progress().at("execute", op->node.c_str());
  progress().inKernel(op->kernel->function_name);
  const uint64_t start = nowMicros();
  const Outcome outcome = launch(op, style, tensors);
  result->us += nowMicros() - start;
  if (!outcome.ok()) return outcome;
  for (uint32_t i = 0; i < tensors->outputs.size(); ++i) slot(op, i) = tensors->outputs[i].read();
  return Outcome();
}

void QhpiExecution::slice(const QHPI_Op& op) {
  const QHPI_OutputDef& def = op.outputs[0];
  const QHPI_OutputDef from = qhpi_op_output(op.inputs[0].op, op.inputs[0].output_number);
  const size_t size = elementSize(def.type);
  std::vector<uint8_t> bytes(shapeElements(def.shape) * size);
  const uint32_t zero[QHPI_MAX_RANK] = {};
  copyBox(def.shape, size, value(op.inputs[0]).data(), from.shape, op.start.dims, bytes.data(), def.shape,
          zero);
  slot(&op, 0) = std::move(bytes);
}

void QhpiExecution::concat(const QHPI_Op& op) {
  const QHPI_OutputDef& def = op.outputs[0];
  const size_t size = elementSize(def.type);
  std::vector<uint8_t> bytes(shapeElements(def.shape) * size);
  const uint32_t zero[QHPI_MAX_RANK] = {};
  uint32_t start[QHPI_MAX_RANK] = {};
  for (size_t i = 1; i < op.inputs.size(); ++i) {  // the axis stands first
    const QHPI_OpRef input = op.inputs[i];
    const QHPI_Shape part = qhpi_op_output(input.op, input.output_number).shape;
    copyBox(part, size, value(input).data(), part, zero, bytes.data(), def.shape, start);
    start[op.axis] += part.dims[op.axis];
  }
  slot(&op, 0) = std::move(bytes);
}

Outcome QhpiExecution::execute(const CallStyle& style, CaseResult* result) {
  loadInputs(style);
  for (QHPI_Op* op : order_) {
    if (op->kind == OpKind::kSlice) slice(*op);
    if (op->kind == OpKind::kConcat) concat(*op);
    if (op->kind == OpKind::kReshape) slot(op, 0) = value(op->inputs[0]);
    if (op->kind != OpKind::kPackage) continue;
    const Outcome outcome = runKernel(op, style, result);
    if (!outcome.ok()) return outcome;
  }
  return Outcome();
}

}  // namespace opkg

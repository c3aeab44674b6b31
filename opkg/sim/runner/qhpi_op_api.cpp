// The qhpi_op_* functions that packages call in rewrites, tiling and predicates.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "qhpi_graph.h"
#include "qhpi_types.h"
#include "results.h"

using opkg::OpKind;
using opkg::QhpiGraph;

namespace {

// The constant that a reference stands for, whatever was put around it.
const std::vector<QHPI_OutputDef>& visibleOutputs(const QHPI_Op* op) {
  return op->graph->early && !op->early_outputs.empty() ? op->early_outputs : op->outputs;
}

QHPI_OutputDef errorDef() { return {QHPI_PrepareError, {0, 0.0f}, opkg::noShape()}; }

const QHPI_Op* makeError(QhpiGraph* graph, const QHPI_Op* like, const std::string& text) {
  QHPI_Op* op = graph->add(OpKind::kError, "$Error", like);
  op->error = text;
  op->outputs.push_back(errorDef());
  return op;
}

QHPI_OutputDef outputOf(QHPI_OpRef ref) { return qhpi_op_output(ref.op, ref.output_number); }

// The one core op that is known here: a reshape, by which rewrites turn signed graph inputs unsigned and give
// tensors other dimensions; both at once give wrong numbers in the backend.
const QHPI_Op* reshape(const QHPI_Op* root, QHPI_OpRef input, const QHPI_OutputDef& output) {
  const QHPI_OutputDef from = outputOf(input);
  if (opkg::shapeElements(from.shape) != opkg::shapeElements(output.shape))
    return makeError(root->graph, root,
                     "reshape of " + opkg::shapeText(from.shape) + " to " + opkg::shapeText(output.shape));
  if (from.type != output.type && opkg::shapeText(from.shape) != opkg::shapeText(output.shape))
    return makeError(root->graph, root, "a reshape that converts elements changes their order in the backend");
  QHPI_Op* op = root->graph->add(OpKind::kReshape, "q::QNN_Reshape", root);
  op->inputs = {input};
  op->outputs.push_back(output);
  return op;
}

}  // namespace

extern "C" {

const char* qhpi_op_name(const QHPI_Op* op) { return op->name.c_str(); }
uint32_t qhpi_op_id(const QHPI_Op* op) { return op->id; }
uint32_t qhpi_op_num_inputs(const QHPI_Op* op) { return static_cast<uint32_t>(op->inputs.size()); }
uint32_t qhpi_op_num_outputs(const QHPI_Op* op) { return static_cast<uint32_t>(visibleOutputs(op).size()); }
uint32_t qhpi_op_num_uses(const QHPI_Op* op) { return op->graph->uses(op); }

QHPI_OpRef qhpi_op_input(const QHPI_Op* op, uint32_t index) {
  if (index < op->inputs.size()) return QhpiGraph::resolve(op->inputs[index]);
  opkg::LogCapture::add(1, "qhpi_op_input: " + op->name + " has no input " + std::to_string(index));
  return {nullptr, 0};
}

QHPI_OutputDef qhpi_op_output(const QHPI_Op* op, uint32_t index) {
  if (op != nullptr && op->kind == OpKind::kMultiOutput && index < op->inputs.size())
    return outputOf(op->inputs[index]);
  if (op != nullptr && index < visibleOutputs(op).size()) return visibleOutputs(op)[index];
  opkg::LogCapture::add(1, "qhpi_op_output: no output " + std::to_string(index));
  return errorDef();
}

uint32_t qhpi_op_producer_for(const QHPI_Op* op, const char* consumer_name) {
  for (const QHPI_Op* user : op->graph->live()) {
    if (user->name != consumer_name) continue;
    for (const QHPI_OpRef& input : user->inputs) {
      if (input.op == op) return 1;
    }
  }
  return 0;
}

uint32_t qhpi_op_is_constant(const QHPI_Op* op) {
  return op != nullptr && op->kind == OpKind::kConstant ? 1 : 0;
}

const void* qhpi_op_constant_data(const QHPI_Op* op) {
  if (qhpi_op_is_constant(op) != 0) return op->data.data();
  opkg::LogCapture::add(
      1, "qhpi_op_constant_data: " + (op != nullptr ? op->name : "null") + " is not a constant");
  return nullptr;
}

uint32_t qhpi_op_is_error(const QHPI_Op* op) { return op == nullptr || op->kind == OpKind::kError ? 1 : 0; }

const char* qhpi_op_error_description(const QHPI_Op* op) {
  return op != nullptr && op->kind == OpKind::kError ? op->error.c_str() : "";
}

uint32_t qhpi_output_is_error(const QHPI_OutputDef* output) {
  return output->type == QHPI_PrepareError ? 1 : 0;
}

const char* qhpi_output_error_description(const QHPI_OutputDef* output) {
  return output->type == QHPI_PrepareError ? "error output" : "";
}

QHPI_StatusCode qhpi_option_int(const QHPI_Op*, const char* name, int32_t* value) {
  static const struct {
    const char* name;
    int32_t value;
  } kOptions[] = {{"tcm_size", 16777216},     {"tcm_size_for_tiling", 4194304},
                  {"hvx_threads", 4},         {"tile_height", 8},
                  {"central_tiler", 1},       {"can_fine_split", 0},
                  {"big_width_split", 256},   {"enable_autothread", 0},
                  {"quant_is_updateable", 0}, {"force_conv_fusion", 0},
                  {"fold_relu_flag", 1},      {"relaxed_precision_flag", 0},
                  {"hmx_short_conv_flag", 1}};
  for (const auto& option : kOptions) {
    if (strcmp(option.name, name) != 0) continue;
    *value = option.value;
    return QHPI_Success;
  }
  return QHPI_Unsupported;
}

const QHPI_Op* qhpi_op_create(const QHPI_Op* root, const char* name, uint32_t num_inputs,
                              const QHPI_OpRef* inputs, uint32_t num_outputs, const QHPI_OutputDef* outputs) {
  if (strncmp(name, "q::", 3) == 0 && strncmp(name, "q::QNN_", 7) != 0)
    return makeError(root->graph, root,
                     std::string("invalid operator name, internal package prefix is not allowed: ") + name);
  if (strcmp(name, "q::QNN_Reshape") == 0 && num_inputs == 1 && num_outputs == 1)
    return reshape(root, inputs[0], outputs[0]);
  const opkg::RegisteredOp* registered = opkg::findRegisteredOp(name);
  QHPI_Op* op = root->graph->add(registered != nullptr ? OpKind::kPackage : OpKind::kUnknown, name, root);
  op->registered = registered;
  op->tiled = root->tiled;
  op->inputs.assign(inputs, inputs + num_inputs);
  op->outputs.assign(outputs, outputs + num_outputs);
  return op;
}

const QHPI_Op* qhpi_op_create_constant(const QHPI_Op* root, const QHPI_OutputDef* output, uint32_t size,
                                       const void* data) {
  const uint64_t wanted = opkg::shapeElements(output->shape) * opkg::elementSize(output->type);
  if (wanted != size) {
    return makeError(root->graph, root,
                     "a constant of " + opkg::shapeText(output->shape) + " " + opkg::typeName(output->type) +
                         " takes " + std::to_string(wanted) + " bytes, not " + std::to_string(size));
  }
  QHPI_Op* op = root->graph->add(OpKind::kConstant, "$Const", root);
  op->outputs.push_back(*output);
  const uint8_t* bytes = static_cast<const uint8_t*>(data);
  op->data.assign(bytes, bytes + size);
  return op;
}

const QHPI_Op* qhpi_op_create_shape(const QHPI_Op* root, const QHPI_Shape* shape) {
  QHPI_Op* op = root->graph->add(OpKind::kShape, "$Shape", root);
  op->outputs.push_back({QHPI_Int32, {0, 0.0f}, *shape});
  return op;
}

const QHPI_Op* qhpi_op_create_multi_output(uint32_t num_inputs, const QHPI_OpRef* inputs) {
  if (num_inputs == 0) return nullptr;
  QHPI_Op* op = inputs[0].op->graph->add(OpKind::kMultiOutput, "$MultiOutput", inputs[0].op);
  op->inputs.assign(inputs, inputs + num_inputs);
  for (const QHPI_OpRef& input : op->inputs) op->outputs.push_back(outputOf(input));
  return op;
}

const QHPI_Op* qhpi_op_create_error(const QHPI_Op* root, const char* text) {
  return makeError(root->graph, root, text);
}

QHPI_OpRef qhpi_op_slice(QHPI_OpRef input, const QHPI_Shape* start, const QHPI_Shape* extent) {
  QhpiGraph* graph = input.op->graph;
  QHPI_OutputDef def = outputOf(input);
  bool inside = start->rank == def.shape.rank && extent->rank == def.shape.rank;
  for (uint32_t d = 0; inside && d < def.shape.rank; ++d) {
    inside = extent->dims[d] > 0 && start->dims[d] + extent->dims[d] <= def.shape.dims[d];
  }
  if (!inside) {
    return {makeError(graph, input.op,
                      "slice " + opkg::shapeText(*start) + " + " + opkg::shapeText(*extent) +
                          " of a tensor " + opkg::shapeText(def.shape)),
            0};
  }
  QHPI_Op* op = graph->add(OpKind::kSlice, "q::Slice_shape", input.op);
  op->inputs = {input, {qhpi_op_create_shape(op, start), 0}, {qhpi_op_create_shape(op, extent), 0}};
  op->start = *start;
  def.shape = *extent;
  op->outputs.push_back(def);
  return {op, 0};
}

QHPI_OpRef qhpi_op_concat(uint32_t axis, uint32_t num_inputs, const QHPI_OpRef* inputs) {
  if (num_inputs == 0) return {nullptr, 0};
  QHPI_OutputDef def = outputOf(inputs[0]);
  QHPI_Op* op = inputs[0].op->graph->add(OpKind::kConcat, "q::Concat", inputs[0].op);
  op->axis = axis;
  const QHPI_OutputDef scalar = {QHPI_Int32, {0, 1.0f}, {4, {1, 1, 1, 1, 0, 0, 0, 0}}};
  op->inputs.push_back({qhpi_op_create_constant(op, &scalar, sizeof axis, &axis), 0});
  op->inputs.insert(op->inputs.end(), inputs, inputs + num_inputs);
  for (uint32_t i = 1; i < num_inputs; ++i) {
    const QHPI_Shape other = outputOf(inputs[i]).shape;
    for (uint32_t d = 0; d < def.shape.rank; ++d) {
      if (d == axis || other.dims[d] == def.shape.dims[d]) continue;
      return {makeError(op->graph, op,
                        "concat of " + opkg::shapeText(def.shape) + " and " + opkg::shapeText(other)),
              0};
    }
    def.shape.dims[axis] += other.dims[axis];
  }
  op->outputs.push_back(def);
  return {op, 0};
}

}  // extern "C"

// Tensors, and the qhpi_tensor_* functions.
// SPDX-License-Identifier: Apache-2.0
#include "qhpi_tensor.h"

#include <cstring>

#include "results.h"

namespace opkg {

bool isAbsent(const QHPI_OutputDef& def) { return def.shape.rank == 4 && shapeElements(def.shape) == 0; }

namespace {

uint32_t flatLayout(uint32_t rank) {
  if (rank <= 4) return QHPI_Layout_Flat4;
  return rank == 5 ? QHPI_Layout_Flat5 : QHPI_Layout_Flat6;
}

// An optional input that was left out: only "any type" with layout "shape only" or "any" takes it.
bool absentFits(const QHPI_Tensor_Signature_v1& signature, uint32_t* layout, std::string* why) {
  *layout = QHPI_Layout_ShapeOnly;
  if (signature.element_type == QHPI_Any_Element_Type && signature.layout <= QHPI_Layout_ShapeOnly)
    return true;
  *why =
      "is absent (a null tensor): take it with any type and layout shape only, or replace it in "
      "early_rewrite";
  return false;
}

bool typeFits(const QHPI_OutputDef& def, uint32_t wanted, std::string* why) {
  if (wanted == QHPI_Any_Element_Type || wanted == def.type) return true;
  *why = std::string("wants ") + typeName(wanted) + ", is " + typeName(def.type);
  return false;
}

// The element types for which the backend can make a crouton.
bool croutonFits(const QHPI_OutputDef& def, uint32_t layout, std::string* why) {
  const bool fits =
      (layout == QHPI_Layout_Crouton_8 && def.type == QHPI_QUInt8) ||
      (layout == QHPI_Layout_Crouton_16 && (def.type == QHPI_QUInt16 || def.type == QHPI_Float16)) ||
      (layout == QHPI_Layout_Crouton_32 && def.type == QHPI_Int32);
  if (!fits) *why = std::string("no conversion of ") + typeName(def.type) + " to " + layoutName(layout);
  return fits;
}

}  // namespace

bool signatureFits(const QHPI_OutputDef& def, const QHPI_Tensor_Signature_v1& signature, uint32_t* layout,
                   std::string* why) {
  if (isAbsent(def)) return absentFits(signature, layout, why);
  if (!typeFits(def, signature.element_type, why)) return false;
  if (signature.storage > 2 || signature.mem_placement > 2) {
    *why = "unknown storage or placement";
    return false;
  }
  const uint32_t flat = flatLayout(def.shape.rank);
  if (isCrouton(signature.layout)) {
    *layout = signature.layout;
    if (signature.storage == QHPI_Storage_Direct) *why = "a crouton is never stored directly";
    if (def.shape.rank != 4) *why = "a crouton has rank 4, the tensor rank " + std::to_string(def.shape.rank);
    return why->empty() && croutonFits(def, signature.layout, why);
  }
  if (signature.layout == QHPI_Layout_Any || signature.layout == flat) {
    *layout = flat;
    return true;
  }
  *why = std::string("wants layout ") + layoutName(signature.layout) + ", is " + layoutName(flat);
  return false;
}

}  // namespace opkg

QHPI_Tensor::QHPI_Tensor(const QHPI_OutputDef& definition, const QHPI_Tensor_Signature_v1& signature)
    : def(definition) {
  std::string why;
  opkg::signatureFits(def, signature, &layout, &why);
  if (opkg::isAbsent(def)) def.type = QHPI_Unknown;
  storage = opkg::isCrouton(layout) ? QHPI_Storage_Indirect : QHPI_Storage_Direct;
  placement = signature.mem_placement == QHPI_MemLoc_DDR_Only ? QHPI_MemLoc_DDR_Only : QHPI_MemLoc_TCM_Only;
}

void QHPI_Tensor::allocate(const std::string& name, const opkg::CallStyle& style) {
  const opkg::Placement places(layout, def.shape);
  const size_t element = opkg::elementSize(def.type);
  const size_t part = places.blockElements() * element;
  memory = std::make_shared<opkg::GuardedBuffer>(name.c_str(), part, places.blocks(), style.place, element);
  memory->fill(style.poison);
  table.clear();
  for (size_t i = 0; i < memory->parts(); ++i) table.push_back(memory->part(i));
}

void QHPI_Tensor::shareMemoryOf(const QHPI_Tensor& other) {
  memory = other.memory;
  table = other.table;
}

uint64_t QHPI_Tensor::storedBytes() const {
  return opkg::shapeElements(opkg::Placement(layout, def.shape).paddedShape()) * opkg::elementSize(def.type);
}

void QHPI_Tensor::write(const std::vector<uint8_t>& dense) {
  opkg::Placement(layout, def.shape)
      .scatter(dense.data(), opkg::elementSize(def.type), reinterpret_cast<uint8_t* const*>(table.data()));
}

std::vector<uint8_t> QHPI_Tensor::read() const {
  std::vector<uint8_t> dense(opkg::shapeElements(def.shape) * opkg::elementSize(def.type));
  opkg::Placement(layout, def.shape)
      .gather(dense.data(), opkg::elementSize(def.type), reinterpret_cast<uint8_t* const*>(table.data()));
  return dense;
}

extern "C" {

uint32_t qhpi_element_type_size(QHPI_Element_Type type) { return opkg::elementSize(type); }

QHPI_StatusCode qhpi_chunked_layout(QHPI_Standard_Layout layout, QHPI_ChunkedMemoryLayout* out,
                                    uint32_t size) {
  const QHPI_ChunkedMemoryLayout* descriptor = opkg::layoutDescriptor(layout);
  if (descriptor == nullptr) return QHPI_Unsupported;
  const size_t needed =
      offsetof(QHPI_ChunkedMemoryLayout, dim_info) + descriptor->dim_info_size * sizeof(QHPI_DimInfo);
  if (size < needed) return QHPI_Unsupported;
  memcpy(out, descriptor, needed);
  return QHPI_Success;
}

QHPI_Shape qhpi_tensor_shape(const QHPI_Tensor* tensor) { return tensor->def.shape; }

QHPI_Shape qhpi_tensor_padding(
    const QHPI_Tensor* tensor) {  // in front of the data; never seen other than zero
  QHPI_Shape padding = {};
  padding.rank = tensor->def.shape.rank;
  return padding;
}

QHPI_Shape qhpi_tensor_padded_shape(const QHPI_Tensor* tensor) {
  return opkg::Placement(tensor->layout, tensor->def.shape).paddedShape();
}

QHPI_Shape qhpi_tensor_block_shape(const QHPI_Tensor* tensor) {
  return opkg::Placement(tensor->layout, tensor->def.shape).blockShape();
}

QHPI_Element_Type qhpi_tensor_type(const QHPI_Tensor* tensor) { return tensor->def.type; }
QHPI_Standard_Layout qhpi_tensor_layout(const QHPI_Tensor* tensor) { return tensor->layout; }
uint32_t qhpi_tensor_placement(const QHPI_Tensor* tensor) { return tensor->placement; }
uint32_t qhpi_tensor_is_indirect(const QHPI_Tensor* tensor) {
  return tensor->storage == QHPI_Storage_Indirect ? 1 : 0;
}
QHPI_Quant_Parameters qhpi_tensor_quant_parameters(const QHPI_Tensor* tensor) {
  return tensor->def.quant_parameters;
}

void* qhpi_tensor_raw_data(const QHPI_Tensor* tensor) {
  if (tensor->storage == QHPI_Storage_Direct && tensor->memory != nullptr) return tensor->memory->part();
  opkg::LogCapture::add(1, tensor->memory != nullptr ? "qhpi_tensor_raw_data: the tensor is stored indirectly"
                                                     : "qhpi_tensor_raw_data: the tensor has no memory yet");
  return nullptr;
}

void** qhpi_tensor_block_table(const QHPI_Tensor* tensor) {
  return tensor->memory != nullptr ? const_cast<void**>(tensor->table.data()) : nullptr;
}

uint32_t qhpi_tensor_block_table_length(const QHPI_Tensor* tensor) {
  return static_cast<uint32_t>(opkg::Placement(tensor->layout, tensor->def.shape).blocks());
}

uint32_t qhpi_num_slices(const QHPI_RuntimeHandle* handle) { return handle->slices; }
uint32_t qhpi_slice_number(const QHPI_RuntimeHandle* handle) { return handle->slice; }
void* qhpi_sync_block(const QHPI_RuntimeHandle* handle) { return handle->sync_block; }
void* qhpi_srm_context(const QHPI_RuntimeHandle* handle) { return handle->srm_context; }
uint32_t qhpi_thread_resources(const QHPI_RuntimeHandle*) { return 0; }

}  // extern "C"

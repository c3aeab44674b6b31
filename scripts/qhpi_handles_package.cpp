// The package of scripts/qhpi_handles.py: y = a + b on u8, by kernels that get nothing but what their precomputation left:
// the tensors' handles. Counts what differs between precomputation and execution.
// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include "qhpi_handles.h"
#include "toy_package.h"

#define PKG "probe.handles"

namespace {

constexpr uint32_t kOperands = 3;  // y, a, b

struct Prepared {
  const void* self;
  const QHPI_Tensor* tensors[kOperands];
  void* data[kOperands];    // raw data, or the block table
  void* blocks[kOperands];  // the first block
  uint64_t elements;
};

std::atomic<uint32_t> g_counts[kCounters];
void count(Counter what) { ++g_counts[what]; }

template <bool kBlocks>
void* memory(const QHPI_Tensor* tensor) {
  return kBlocks ? static_cast<void*>(qhpi_tensor_block_table(tensor)) : qhpi_tensor_raw_data(tensor);
}

template <bool kBlocks>
uint32_t prepare(QHPI_RuntimeHandle*, void* data, uint32_t, QHPI_Tensor** out, uint32_t, const QHPI_Tensor* const* in) {
  auto* const made = static_cast<Prepared*>(data);
  const QHPI_Tensor* const tensors[] = {out[0], in[0], in[1]};
  made->self = data;
  made->elements = toy::count(qhpi_tensor_shape(out[0]));
  count(kPrecomputed);
  if (reinterpret_cast<uintptr_t>(data) % 128 != 0) count(kDataUnaligned);
  for (uint32_t i = 0; i < kOperands; ++i) {
    made->tensors[i] = tensors[i];
    made->data[i] = memory<kBlocks>(tensors[i]);
    made->blocks[i] = nullptr;
    if (kBlocks && made->data[i] != nullptr) made->blocks[i] = static_cast<void**>(made->data[i])[0];
    if (made->data[i] == nullptr) count(kNoMemoryYet);
  }
  return QHPI_Success;
}

template <bool kBlocks>
uint32_t run(QHPI_RuntimeHandle* handle, const void* data) {
  const auto* const made = static_cast<const Prepared*>(data);
  count(kExecuted);
  if (made->self != data) count(kDataMoved);
  uint8_t* now[kOperands];
  for (uint32_t i = 0; i < kOperands; ++i) {
    void* const at = memory<kBlocks>(made->tensors[i]);
    now[i] = static_cast<uint8_t*>(at);
    if (at != made->data[i]) count(kMemoryMoved);
    if (kBlocks && static_cast<void**>(at)[0] != made->blocks[i]) count(kBlockMoved);
    if (!kBlocks && reinterpret_cast<uintptr_t>(at) % 128 != 0) count(kTensorUnaligned);
  }
  if (toy::count(qhpi_tensor_shape(made->tensors[0])) != made->elements) count(kShapeDiffers);
  const uint32_t slices = qhpi_num_slices(handle), slice = qhpi_slice_number(handle);
  if (slices > 1) count(kSliced);
  const uint64_t parts = kBlocks ? qhpi_tensor_block_table_length(made->tensors[0]) : made->elements;
  for (uint64_t i = parts * slice / slices; i < parts * (slice + 1) / slices; ++i) {
    if (!kBlocks) now[0][i] = static_cast<uint8_t>(now[1][i] + now[2][i]);
    for (uint32_t k = 0; kBlocks && k < 2048; ++k) {
      auto* const* const tables = reinterpret_cast<uint8_t** const*>(now);
      tables[0][i][k] = static_cast<uint8_t>(tables[1][i][k] + tables[2][i][k]);
    }
  }
  return QHPI_Success;
}

const QHPI_Op* buildTile(const QHPI_Op* op, const QHPI_Shape* start, const QHPI_Shape* extent) {
  QHPI_OutputDef out = qhpi_op_output(op, 0);
  out.shape = *extent;
  const QHPI_OpRef in[] = {qhpi_op_slice(qhpi_op_input(op, 0), start, extent),
                           qhpi_op_slice(qhpi_op_input(op, 1), start, extent)};
  return qhpi_op_create(op, qhpi_op_name(op), 2, in, 1, &out);
}

QHPI_Shape required(const QHPI_Op*) { return toy::shape4(1, 8, 0, 32); }

QHPI_Tensor_Signature_v1 g_flat[] = {toy::flat(QHPI_QUInt8), toy::flat(QHPI_QUInt8)};
QHPI_Tensor_Signature_v1 g_ddr[] = {toy::flat(QHPI_QUInt8, QHPI_Layout_Flat4, QHPI_MemLoc_DDR_Only),
                                    toy::flat(QHPI_QUInt8, QHPI_Layout_Flat4, QHPI_MemLoc_DDR_Only)};
constexpr QHPI_Tensor_Signature_v1 kBlock = {QHPI_QUInt8, QHPI_Layout_Crouton_8, QHPI_Storage_Indirect,
                                             QHPI_MemLoc_DDR_OR_TCM};
QHPI_Tensor_Signature_v1 g_blocks[] = {kBlock, kBlock};

template <bool kBlocks>
QHPI_Kernel_v1 kernel(const char* name, QHPI_Tensor_Signature_v1* signatures, bool threads) {
  QHPI_Kernel_v1 record = {};
  record.function_name = name;
  record.resources = QHPI_RESOURCE_HVX;
  record.multithreaded = threads ? 1 : 0;
  record.min_inputs = 2;
  record.input_signature = signatures;
  record.min_outputs = 1;
  record.output_signature = signatures;
  record.precomputed_data_size = sizeof(Prepared);
  record.do_precomputation_function = prepare<kBlocks>;
  record.function_with_precomputed_data = run<kBlocks>;
  return record;
}

QHPI_Kernel_v1 g_kernels[] = {
    kernel<false>(PKG "::flat", g_flat, false), kernel<false>(PKG "::ddr", g_ddr, false),
    kernel<true>(PKG "::blocks", g_blocks, false), kernel<false>(PKG "::threads", g_flat, true),
    kernel<false>(PKG "::tiles", g_flat, false), kernel<true>(PKG "::block_tiles", g_blocks, false)};
const char* g_names[] = {"Flat", "Ddr", "Blocks", "Threads", "Tiles", "BlockTiles"};
QHPI_OpInfo_v1 g_ops[6];

[[maybe_unused]] const bool g_ready = [] {
  static const char* const kFull[] = {PKG "::Flat", PKG "::Ddr", PKG "::Blocks",
                                      PKG "::Threads", PKG "::Tiles", PKG "::BlockTiles"};
  for (int i = 0; i < 6; ++i) {
    g_ops[i].name = kFull[i];
    g_ops[i].num_kernels = 1;
    g_ops[i].kernels = &g_kernels[i];
    if (i < 4) continue;
    g_ops[i].shape_required = required;
    g_ops[i].build_tile = buildTile;
  }
  return true;
}();

}  // namespace

TOY_EXPORT void probe_take(uint32_t* counts) {
  for (int i = 0; i < kCounters; ++i) counts[i] = g_counts[i].exchange(0);
}

TOY_PACKAGE(PKG, g_names, g_ops, nullptr)

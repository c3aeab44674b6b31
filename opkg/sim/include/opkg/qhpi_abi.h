// QHPI, the C plugin interface of HTP op packages: our own declarations, written from measured layouts.
// SPDX-License-Identifier: Apache-2.0
//
// Self-contained: this file is copied into generated packages. Kernel records are 120 bytes and op records
// 104: both end in four reserved pointers that must stay null (header texts without them crash with a second
// kernel or op).
#ifndef OPKG_QHPI_ABI_H_
#define OPKG_QHPI_ABI_H_

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* ---- numbers; each in both spellings in circulation ------------------------------------------------ */

// clang-format off

typedef uint32_t QHPI_StatusCode;
enum {
  QHPI_Success = 0, QHPI_SUCCESS = 0,
  QHPI_Unsupported = 1, QHPI_UNSUPPORTED = 1,
  QHPI_ErrorFatal = 2, QHPI_ERROR_FATAL = 2,
  QHPI_RegistrationWarning = 3, QHPI_REGISTRATION_WARNING = 3,
  QHPI_RegistrationError = 4, QHPI_REGISTRATION_ERROR = 4
};

typedef uint32_t QHPI_Element_Type;
enum {
  QHPI_Unknown = 0, QHPI_UNKNOWN = 0,
  QHPI_QUInt8 = 1, QHPI_QUINT8 = 1,
  QHPI_QUInt16 = 2, QHPI_QUINT16 = 2,
  QHPI_QInt16 = 3, QHPI_QINT16 = 3,
  QHPI_Float32 = 4, QHPI_FLOAT32 = 4,
  QHPI_Int32 = 5, QHPI_INT32 = 5,
  QHPI_QInt32 = 6, QHPI_QINT32 = 6,
  QHPI_QInt8 = 7, QHPI_QINT8 = 7,
  QHPI_Float16 = 8, QHPI_FLOAT16 = 8,
  QHPI_Int64 = 9, QHPI_INT64 = 9,
  QHPI_Any_Element_Type = 240, QHPI_ELEMENT_TYPE_ANY = 240,
  QHPI_PrepareError = 241, QHPI_PREPARE_ERROR = 241
};

typedef uint32_t QHPI_Standard_Layout;
enum {
  QHPI_Layout_Any = 0, QHPI_LAYOUT_ANY = 0,
  QHPI_Layout_ShapeOnly = 1, QHPI_LAYOUT_SHAPE_ONLY = 1,
  QHPI_Layout_Flat4 = 2, QHPI_LAYOUT_FLAT_4 = 2,
  QHPI_Layout_Flat5 = 3, QHPI_LAYOUT_FLAT_5 = 3,
  QHPI_Layout_Flat6 = 4, QHPI_LAYOUT_FLAT_6 = 4,
  QHPI_Layout_Singular = 5, QHPI_LAYOUT_SINGULAR = 5,
  QHPI_Layout_NCHW = 6, QHPI_LAYOUT_NCHW = 6,
  QHPI_Layout_Depth32 = 7, QHPI_LAYOUT_DEPTH_32 = 7,
  QHPI_Layout_Weights8x4 = 8, QHPI_LAYOUT_WEIGHTS_8X4 = 8,
  QHPI_Layout_Crouton_8 = 9, QHPI_LAYOUT_CROUTON_8 = 9,
  QHPI_Layout_Crouton_16 = 10, QHPI_LAYOUT_CROUTON_16 = 10,
  QHPI_Layout_Crouton_32 = 11, QHPI_LAYOUT_CROUTON_32 = 11,
  QHPI_Layout_Crouton_4x1 = 12, QHPI_LAYOUT_CROUTON_4X1 = 12,
  QHPI_Layout_Crouton_2x2 = 13, QHPI_LAYOUT_CROUTON_2X2 = 13,
  QHPI_Layout_WideCrouton_8 = 14, QHPI_LAYOUT_WIDE_CROUTON_8 = 14,
  QHPI_Layout_WideCrouton_32 = 15, QHPI_LAYOUT_WIDE_CROUTON_32 = 15,
  QHPI_Layout_WideCrouton_2x2 = 16, QHPI_LAYOUT_WIDE_CROUTON_2X2 = 16
};

typedef uint8_t QHPI_Storage;
enum {
  QHPI_Storage_Direct = 0, QHPI_STORAGE_DIRECT = 0,
  QHPI_Storage_Indirect = 1, QHPI_STORAGE_INDIRECT = 1,
  QHPI_Storage_Direct_OR_Indirect = 2, QHPI_STORAGE_DIRECT_OR_INDIRECT = 2
};

typedef uint8_t QHPI_MemLoc;
enum {
  QHPI_MemLoc_DDR_Only = 0, QHPI_MEM_LOC_DDR_ONLY = 0,
  QHPI_MemLoc_TCM_Only = 1, QHPI_MEM_LOC_TCM_ONLY = 1,
  QHPI_MemLoc_DDR_OR_TCM = 2, QHPI_MEM_LOC_DDR_OR_TCM = 2
};

enum { QHPI_RESOURCE_MAIN = 1, QHPI_RESOURCE_HVX = 2, QHPI_RESOURCE_HMX = 4, QHPI_RESOURCE_EXCLUSIVE = 8 };
// clang-format on

#define QHPI_DO_NOT_TILE 0xFFFFFFFFu
#define QHPI_INVALID_RANK 0xFFFFFFFFu
#define QHPI_MAX_RANK 8
#define QHPI_MAX_MEMORY_DIM_INFO_SIZE 9

/* ---- records --------------------------------------------------------------------------------------- */

typedef struct QHPI_Op QHPI_Op;
typedef struct QHPI_Tensor QHPI_Tensor;
typedef struct QHPI_RuntimeHandle QHPI_RuntimeHandle;

typedef struct {
  uint32_t rank; /* QHPI_INVALID_RANK: no shape */
  uint32_t dims[QHPI_MAX_RANK];
} QHPI_Shape;

/* real = (stored - zero_offset) * stepsize */
typedef struct {
  int32_t zero_offset;
  float stepsize;
} QHPI_Quant_Parameters;

typedef struct {
  QHPI_Element_Type type;
  QHPI_Quant_Parameters quant_parameters;
  QHPI_Shape shape;
} QHPI_OutputDef;

typedef struct {
  const QHPI_Op* op;
  uint32_t output_number;
} QHPI_OpRef;

typedef struct {
  uint8_t dim;
  uint8_t chunk; /* 0: what is left of the dimension */
} QHPI_DimInfo;

typedef struct {
  uint32_t rank;
  uint32_t dim_info_size;
  QHPI_DimInfo dim_info[QHPI_MAX_MEMORY_DIM_INFO_SIZE]; /* slowest first */
} QHPI_ChunkedMemoryLayout;
#define QHPI_MAX_MEMORY_LAYOUT_SIZE (sizeof(QHPI_ChunkedMemoryLayout))

typedef struct {
  QHPI_Element_Type element_type;
  QHPI_Standard_Layout layout;
  QHPI_Storage storage;
  QHPI_MemLoc mem_placement;
} QHPI_Tensor_Signature_v1;

/* ---- callbacks of a package ------------------------------------------------------------------------ */

typedef uint32_t (*QHPI_KernelFunc)(QHPI_RuntimeHandle* handle, uint32_t num_outputs, QHPI_Tensor** outputs,
                                    uint32_t num_inputs, const QHPI_Tensor* const* inputs);
typedef uint32_t (*QHPI_PrecomputeFunc)(QHPI_RuntimeHandle* handle, void* data, uint32_t num_outputs,
                                        QHPI_Tensor** outputs, uint32_t num_inputs,
                                        const QHPI_Tensor* const* inputs);
typedef uint32_t (*QHPI_PrecomputedKernelFunc)(QHPI_RuntimeHandle* handle, const void* data);
typedef float (*QHPI_CostFunc)(QHPI_RuntimeHandle* handle, uint32_t num_inputs,
                               const QHPI_Tensor* const* inputs); /* cycles */
typedef uint32_t (*QHPI_PredicateFunc)(const QHPI_Op* op, uint32_t num_inputs,
                                       const QHPI_Tensor* const* inputs);
typedef const QHPI_Op* (*QHPI_RewriteOpFunc)(const QHPI_Op* op);
typedef QHPI_Shape (*QHPI_ShapeRequiredFunc)(const QHPI_Op* op);
typedef QHPI_Shape (*QHPI_ShapeLegalizedFunc)(const QHPI_Op* op, const QHPI_Shape* proposed);
typedef const QHPI_Op* (*QHPI_BuildTileFunc)(const QHPI_Op* op, const QHPI_Shape* start,
                                             const QHPI_Shape* extent);

typedef struct {
  const char* function_name;
  QHPI_KernelFunc function;
  uint8_t resources;
  uint8_t source_destructive : 1;
  uint8_t multithreaded : 1;
  uint8_t variable_inputs : 1;
  uint8_t variable_outputs : 1;
  uint32_t min_inputs;
  QHPI_Tensor_Signature_v1* input_signature;
  uint32_t min_outputs;
  QHPI_Tensor_Signature_v1* output_signature;
  QHPI_CostFunc cost_function;
  uint32_t sync_block_size;
  uint32_t precomputed_data_size;
  QHPI_PrecomputeFunc do_precomputation_function;
  QHPI_PrecomputedKernelFunc function_with_precomputed_data;
  QHPI_PredicateFunc predicate;
  void* Reserved_1;
  void* Reserved_2;
  void* Reserved_3;
  void* Reserved_4;
} QHPI_Kernel_v1;

typedef struct {
  const char* name; /* "package::Op" */
  uint32_t num_kernels;
  QHPI_Kernel_v1* kernels;
  QHPI_RewriteOpFunc early_rewrite;
  QHPI_ShapeRequiredFunc shape_required;
  QHPI_ShapeLegalizedFunc shape_legalized;
  uint32_t tile_output;
  QHPI_BuildTileFunc build_tile;
  QHPI_RewriteOpFunc late_rewrite;
  void* Reserved_1;
  void* Reserved_2;
  void* Reserved_3;
  void* Reserved_4;
} QHPI_OpInfo_v1;

/* ---- functions of the runtime ---------------------------------------------------------------------- */

uint32_t qhpi_register_ops_v1(uint32_t num_ops, QHPI_OpInfo_v1* ops, const char* package_name);
QHPI_StatusCode qhpi_chunked_layout(QHPI_Standard_Layout layout, QHPI_ChunkedMemoryLayout* out,
                                    uint32_t size);
uint32_t qhpi_element_type_size(QHPI_Element_Type type);

/* The graph, readable in rewrites, shape callbacks, build_tile and predicates. */
const char* qhpi_op_name(const QHPI_Op* op);
uint32_t qhpi_op_id(const QHPI_Op* op); /* 2.51 and later */
uint32_t qhpi_op_num_inputs(const QHPI_Op* op);
QHPI_OpRef qhpi_op_input(const QHPI_Op* op, uint32_t index);
uint32_t qhpi_op_num_outputs(const QHPI_Op* op);
QHPI_OutputDef qhpi_op_output(const QHPI_Op* op, uint32_t index);
uint32_t qhpi_op_num_uses(const QHPI_Op* op);
uint32_t qhpi_op_producer_for(const QHPI_Op* op, const char* consumer_name);
uint32_t qhpi_op_is_constant(const QHPI_Op* op);
const void* qhpi_op_constant_data(const QHPI_Op* op);
uint32_t qhpi_op_is_error(const QHPI_Op* op);
const char* qhpi_op_error_description(const QHPI_Op* op);
uint32_t qhpi_output_is_error(const QHPI_OutputDef* output);
const char* qhpi_output_error_description(const QHPI_OutputDef* output);
QHPI_StatusCode qhpi_option_int(const QHPI_Op* op, const char* name, int32_t* value);

const QHPI_Op* qhpi_op_create(const QHPI_Op* root, const char* name, uint32_t num_inputs,
                              const QHPI_OpRef* inputs, uint32_t num_outputs, const QHPI_OutputDef* outputs);
const QHPI_Op* qhpi_op_create_constant(const QHPI_Op* root, const QHPI_OutputDef* output, uint32_t size,
                                       const void* data);
const QHPI_Op* qhpi_op_create_shape(const QHPI_Op* root, const QHPI_Shape* shape);
const QHPI_Op* qhpi_op_create_multi_output(uint32_t num_inputs, const QHPI_OpRef* inputs);
const QHPI_Op* qhpi_op_create_error(const QHPI_Op* root, const char* text);
QHPI_OpRef qhpi_op_slice(QHPI_OpRef input, const QHPI_Shape* start, const QHPI_Shape* extent);
QHPI_OpRef qhpi_op_concat(uint32_t axis, uint32_t num_inputs, const QHPI_OpRef* inputs);

/* Tensors, readable in kernels, precompute and predicates. */
QHPI_Shape qhpi_tensor_shape(const QHPI_Tensor* tensor);
QHPI_Shape qhpi_tensor_padding(const QHPI_Tensor* tensor);
QHPI_Shape qhpi_tensor_padded_shape(const QHPI_Tensor* tensor);
QHPI_Shape qhpi_tensor_block_shape(const QHPI_Tensor* tensor);
QHPI_Element_Type qhpi_tensor_type(const QHPI_Tensor* tensor);
QHPI_Standard_Layout qhpi_tensor_layout(const QHPI_Tensor* tensor);
uint32_t qhpi_tensor_placement(const QHPI_Tensor* tensor);
uint32_t qhpi_tensor_is_indirect(const QHPI_Tensor* tensor); /* 2.50 and later */
QHPI_Quant_Parameters qhpi_tensor_quant_parameters(const QHPI_Tensor* tensor);
void* qhpi_tensor_raw_data(const QHPI_Tensor* tensor);     /* direct storage only */
void** qhpi_tensor_block_table(const QHPI_Tensor* tensor); /* indirect storage only */
uint32_t qhpi_tensor_block_table_length(const QHPI_Tensor* tensor);

/* The running kernel. */
uint32_t qhpi_num_slices(const QHPI_RuntimeHandle* handle);
uint32_t qhpi_slice_number(const QHPI_RuntimeHandle* handle);
void* qhpi_sync_block(const QHPI_RuntimeHandle* handle);
void* qhpi_srm_context(const QHPI_RuntimeHandle* handle);
uint32_t qhpi_thread_resources(const QHPI_RuntimeHandle* handle); /* 2.48 and later; 0 on x86 */

/* What a package library exports: registers its ops and returns the package name. */
__attribute__((visibility("default"))) const char* qhpi_init(void);

/* ---- helpers that need no runtime ------------------------------------------------------------------ */

static inline QHPI_OpRef qhpi_op_reference(const QHPI_Op* op, uint32_t output_number) {
  QHPI_OpRef reference;
  reference.op = op;
  reference.output_number = output_number;
  return reference;
}

/* The older name of qhpi_chunked_layout, which no runtime exports. */
static inline QHPI_StatusCode qhpi_standard_layout(QHPI_Standard_Layout layout, QHPI_ChunkedMemoryLayout* out,
                                                   uint32_t size) {
  return qhpi_chunked_layout(layout, out, size);
}

#ifdef __cplusplus
}  // extern "C"
#endif

/* ---- the measured layout --------------------------------------------------------------------------- */

#if defined(__cplusplus) && UINTPTR_MAX == 0xFFFFFFFFFFFFFFFFu
#define OPKG_AT(record, field, offset) \
  static_assert(offsetof(record, field) == (offset), #record "." #field " is not at " #offset)
#define OPKG_SIZE(record, size) static_assert(sizeof(record) == (size), #record " is not " #size " bytes")
OPKG_SIZE(QHPI_Shape, 36);
OPKG_SIZE(QHPI_Quant_Parameters, 8);
OPKG_SIZE(QHPI_OutputDef, 48);
OPKG_AT(QHPI_OutputDef, shape, 12);
OPKG_SIZE(QHPI_OpRef, 16);
OPKG_SIZE(QHPI_DimInfo, 2);
OPKG_AT(QHPI_ChunkedMemoryLayout, dim_info, 8);
OPKG_SIZE(QHPI_Tensor_Signature_v1, 12);
OPKG_AT(QHPI_Tensor_Signature_v1, storage, 8);
OPKG_AT(QHPI_Tensor_Signature_v1, mem_placement, 9);
OPKG_SIZE(QHPI_Kernel_v1, 120);
OPKG_AT(QHPI_Kernel_v1, function, 8);
OPKG_AT(QHPI_Kernel_v1, resources, 16);
OPKG_AT(QHPI_Kernel_v1, min_inputs, 20);
OPKG_AT(QHPI_Kernel_v1, input_signature, 24);
OPKG_AT(QHPI_Kernel_v1, min_outputs, 32);
OPKG_AT(QHPI_Kernel_v1, output_signature, 40);
OPKG_AT(QHPI_Kernel_v1, cost_function, 48);
OPKG_AT(QHPI_Kernel_v1, sync_block_size, 56);
OPKG_AT(QHPI_Kernel_v1, precomputed_data_size, 60);
OPKG_AT(QHPI_Kernel_v1, do_precomputation_function, 64);
OPKG_AT(QHPI_Kernel_v1, function_with_precomputed_data, 72);
OPKG_AT(QHPI_Kernel_v1, predicate, 80);
OPKG_AT(QHPI_Kernel_v1, Reserved_1, 88);
OPKG_SIZE(QHPI_OpInfo_v1, 104);
OPKG_AT(QHPI_OpInfo_v1, num_kernels, 8);
OPKG_AT(QHPI_OpInfo_v1, kernels, 16);
OPKG_AT(QHPI_OpInfo_v1, early_rewrite, 24);
OPKG_AT(QHPI_OpInfo_v1, shape_legalized, 40);
OPKG_AT(QHPI_OpInfo_v1, tile_output, 48);
OPKG_AT(QHPI_OpInfo_v1, build_tile, 56);
OPKG_AT(QHPI_OpInfo_v1, late_rewrite, 64);
OPKG_AT(QHPI_OpInfo_v1, Reserved_1, 72);
#undef OPKG_AT
#undef OPKG_SIZE
#endif

#endif  // OPKG_QHPI_ABI_H_

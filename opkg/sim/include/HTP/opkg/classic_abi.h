// What a package built with these headers and the runner agree on: plain records, no C++ object crosses the
// border. SPDX-License-Identifier: Apache-2.0
//
// A package exports opkg_classic_package(). Its macros fill the lists below while the library is loaded. The
// runner owns every buffer; the package builds its C++ tensor objects over OpkgTensor records for the time of
// one kernel call.
#ifndef OPKG_HTP_CLASSIC_ABI_H_
#define OPKG_HTP_CLASSIC_ABI_H_

#include <cstddef>
#include <cstdint>

#include "../../opkg/qnn_abi.h"

inline constexpr uint32_t kOpkgClassicAbi = 1;
inline constexpr uint32_t kOpkgRank = 4;

// Element types are the DType numbers of HTP/opkg/status.h.
inline constexpr uint32_t kOpkgAnyDtype = 0;

enum OpkgLayout : uint32_t { kOpkgFlat = 0, kOpkgCrouton = 1, kOpkgAnyLayout = 2 };
enum OpkgPlacement : uint32_t { kOpkgMain = 0, kOpkgTcm = 1, kOpkgAnyPlacement = 2 };

// One tensor during one kernel call. `dims` change when the kernel calls set_dims.
struct OpkgTensor {
  uint32_t dtype;
  uint32_t layout;     // flat or crouton
  uint32_t placement;  // main or TCM
  uint32_t refused;    // set_dims calls that asked for more room than there is
  uint64_t dims[kOpkgRank];
  uint64_t capacity;  // elements that fit (crouton: whole blocks)
  float stepsize;     // real = (stored - zero_offset) * stepsize
  int32_t zero_offset;
  void* data;            // flat: the elements; crouton: null
  void** blocks;         // crouton: one pointer for each block; flat: null
  uint64_t block_count;  // length of `blocks`
};

// What a kernel asks of one operand: the C++ class of its parameter.
struct OpkgTensorClass {
  const char* name;
  uint32_t dtype;  // or kOpkgAnyDtype
  uint32_t layout;
  uint32_t placement;
};

struct OpkgKernel {
  const OpkgKernel* next;
  const char* op;        // "package::Op"
  const char* function;  // as written in the macro
  const char* file;
  int line;
  float cost;  // cycles; unused when cost_of is set
  float (*cost_of)(OpkgTensor* const* tensors, uint32_t outputs, uint32_t inputs);
  uint64_t flags;  // bit i is flag number i
  uint32_t outputs, inputs;
  const OpkgTensorClass* classes;          // outputs, then inputs, then params
  int (*run)(OpkgTensor* const* tensors);  // same order; returns the GraphStatus
};

struct OpkgParam {
  const char* name;
  bool mandatory;
  const Qnn_Param_t* fallback;  // null: the operand is left out when the param is
};

struct OpkgParamOrder {
  const OpkgParamOrder* next;
  const char* op;
  const OpkgParam* params;
  uint32_t count;
};

struct OpkgTensorProperties {
  const OpkgTensorProperties* next;
  const char* text;  // arguments of DEF_TENSOR_PROPERTIES after macro expansion
  const char* file;
  int line;
};

struct OpkgRule {
  const OpkgRule* next;
  const char *pass, *flags, *match, *constraint, *replacement;  // text, after macro expansion
  const char* file;
  int line;
};

// What one op file (BEGIN_PKG_OP_DEFINITION to END_PKG_OP_DEFINITION) registers, in source order.
struct OpkgOpFile {
  const char* name;
  const OpkgKernel* kernels;
  const OpkgParamOrder* param_orders;
  const OpkgTensorProperties* properties;
  const OpkgRule* rules;
};

using OpkgOpFileFn = const OpkgOpFile* (*)();
using OpkgLogFn = void (*)(int level, const char* text);  // levels of QnnLog_Level_t

// The package as the interface file declares it, in the order of its DECLARE_PKG_OPS_OPTS_LIST lines.
struct OpkgClassicPackage {
  uint32_t abi;
  uint32_t sdk;  // 225, 243 or 0 (both spellings)
  const char* name;
  const OpkgOpFileFn* files;
  uint32_t file_count;
  // What the package's initialisation registered; see op_package_feature_support.h.
  bool ops, optimizations, param_orders, axis_params, per_channel_ops;
  const char* const* axis_names;
  uint32_t axis_name_count;
  OpkgLogFn* log;  // where the runner puts its log function
};

// The symbol the runner looks up, of type `const OpkgClassicPackage* (*)()`.
#define OPKG_CLASSIC_SYMBOL "opkg_classic_package"

#endif  // OPKG_HTP_CLASSIC_ABI_H_

// What the registration macros fill while the library is loaded: lists of each op file, and the package's own
// record. SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_REGISTRY_H_
#define OPKG_HTP_REGISTRY_H_

#include "../core/intrinsics.h"
#include "kernel.h"
#include "log.h"
#include "scalars.h"

namespace opkg_sim {

// A singly linked list that keeps the order of insertion.
template <typename T>
struct List {
  const T* first = nullptr;
  T* last = nullptr;
  void append(T* item) {
    (last ? last->next : first) = item;
    last = item;
  }
};

// One op file. Constant-initialized, so that registrations of the same file may run at any time after.
struct OpFile {
  const char* name;
  List<OpkgKernel> kernels;
  List<OpkgParamOrder> param_orders;
  List<OpkgTensorProperties> properties;
  List<OpkgRule> rules;
  OpkgOpFile record;

  constexpr explicit OpFile(const char* file_name)
      : name(file_name), kernels(), param_orders(), properties(), rules(), record() {}
  const OpkgOpFile* publish() {
    record = {name, kernels.first, param_orders.first, properties.first, rules.first};
    return &record;
  }
};

struct Source {
  const char* file;
  int line;
};

// An instance for every DEF_PACKAGE_OP*.
struct KernelEntry {
  OpkgKernel record;

  template <typename S>
  KernelEntry(OpFile* file, S, int (*run)(OpkgTensor* const*), const char* op, const char* function,
              Source source, Cost cost, uint64_t flags)
      : record{nullptr, op,    function,   source.file, source.line, cost.cycles(),
               nullptr, flags, S::outputs, S::inputs,   S::classes,  run} {
    file->kernels.append(&record);
  }
  template <typename S>
  KernelEntry(OpFile* file, S s, int (*run)(OpkgTensor* const*), const char* op, const char* function,
              Source source, decltype(OpkgKernel::cost_of) cost_of, uint64_t flags)
      : KernelEntry(file, s, run, op, function, source, GLACIAL, flags) {
    record.cost_of = cost_of;
  }
};

// An instance for every DEF_PACKAGE_PARAM_ORDER: (name, mandatory, default) three by three.
template <size_t N>
struct ParamOrderEntry {
  OpkgParam params[N > 0 ? N : 1];
  OpkgParamOrder record;

  template <typename... A>
  ParamOrderEntry(OpFile* file, const char* op, A... arguments) : params(), record{nullptr, op, params, N} {
    fill(params, arguments...);
    file->param_orders.append(&record);
  }

 private:
  static void fill(OpkgParam*) {}
  template <typename... A>
  static void fill(OpkgParam* param, const char* name, bool mandatory, const Qnn_Param_t* fallback,
                   A... rest) {
    *param = {name, mandatory, fallback};
    fill(param + 1, rest...);
  }
};

struct PropertiesEntry {
  OpkgTensorProperties record;
  PropertiesEntry(OpFile* file, const char* text, Source source)
      : record{nullptr, text, source.file, source.line} {
    file->properties.append(&record);
  }
};

struct RuleEntry {
  OpkgRule record;
  RuleEntry(OpFile* file, const char* pass, const char* flags, const char* match, const char* constraint,
            const char* replacement, Source source)
      : record{nullptr, pass, flags, match, constraint, replacement, source.file, source.line} {
    file->rules.append(&record);
  }
};

// The op files an interface file declares.
struct OpFileList {
  static constexpr uint32_t kMost = 4096;
  OpkgOpFileFn files[kMost];
  uint32_t count;
  bool declare(OpkgOpFileFn file) {
    if (count < kMost) files[count++] = file;
    return true;
  }
};

// What the interface file's initialisation has registered so far.
struct Registered {
  bool ops = false, optimizations = false, param_orders = false, axis_params = false, per_channel_ops = false;
};
OPKG_SIM_LOCAL inline Registered registered;

// Names listed by LIST_PACKAGE_AXIS_PARAMS.
struct AxisNames {
  static constexpr uint32_t kMost = 64;
  const char* names[kMost];
  uint32_t count;
  template <typename... Name>
  bool list(Name... name) {
    ((count < kMost ? void(names[count++] = name) : void()), ...);
    return true;
  }
};
OPKG_SIM_LOCAL inline AxisNames axis_names;

OPKG_SIM_LOCAL inline OpkgClassicPackage package_record;

inline const OpkgClassicPackage* publish(const OpFileList& list) {
  package_record = {kOpkgClassicAbi,
                    OPKG_SIM_SDK_NUMBER,
                    THIS_PKG_NAME_STR,
                    list.files,
                    list.count,
                    registered.ops,
                    registered.optimizations,
                    registered.param_orders,
                    registered.axis_params,
                    registered.per_channel_ops,
                    axis_names.names,
                    axis_names.count,
                    &log_function};
  return &package_record;
}

}  // namespace opkg_sim

#endif  // OPKG_HTP_REGISTRY_H_

// Runs generated elementwise kernels over whole tensors: any shapes that broadcast, flat or in croutons, aligned or not.
//
// A kernel is a struct of row functions (kStep, kInputs, kOutputs, kMayBroadcast, portable(), vector()). What is done here
// is the same for all of them: merging dimensions, finding each input's part in a row, patterns of inputs that repeat.
#ifndef OPKG_ROWS_H_
#define OPKG_ROWS_H_

#include <initializer_list>

#include "opkg/rows_crouton.h"
#include "opkg/rows_flat.h"
#include "opkg/rows_table.h"

namespace opkg {

namespace rowwise {

template <uint32_t kInputs, uint32_t kOutputs>
Status elementwise(const KernelRows& kernel, const Operand* operands, Slice slice) {
  const Operand* const outputs = operands + kInputs;
  bool crouton = false;
  for (uint32_t i = 0; i < kInputs + kOutputs; ++i) crouton |= operands[i].crouton();
  for (uint32_t i = 0; i < kOutputs; ++i) {
    if (!same_dims(outputs[i], outputs[0])) return Status::unsupported;
  }
  if (!crouton) return flat<kInputs, kOutputs>(kernel, operands, outputs, slice);
  return kernel.functions->blocks ? croutons(any_rows<kInputs, kOutputs>(kernel), operands, slice) : Status::unsupported;
}

}  // namespace rowwise

/// Computes all outputs (of one shape) from inputs that broadcast to it. `vectors`: what the struct's prepare() said.
/// An output may lie where an input of its shape and element size does. `slice`: the part that this call computes.
template <typename Rows>
Status elementwise(const Rows& rows, bool vectors, std::initializer_list<Operand> inputs,
                   std::initializer_list<Operand> outputs, Slice slice = Slice{}) {
  static_assert(Rows::kStep <= rowwise::kMostStep && Rows::kOutputs > 0, "a step is at most a vector of bytes");
  if (inputs.size() != Rows::kInputs || outputs.size() != Rows::kOutputs) return Status::error;
  Operand all[Rows::kInputs + Rows::kOutputs];
  Operand* next = all;
  for (const Operand& o : inputs) *next++ = o;
  for (const Operand& o : outputs) *next++ = o;
  const rowwise::RowFunctions& functions = rowwise::kRowFunctions<Rows>;
  const rowwise::KernelRows kernel = {&functions, &rows, vectors && functions.vector};
  return rowwise::elementwise<Rows::kInputs, Rows::kOutputs>(kernel, all, slice);
}

}  // namespace opkg

#endif  // OPKG_ROWS_H_

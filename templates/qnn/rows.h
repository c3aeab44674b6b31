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

/// Computes all outputs (of one shape) from inputs that broadcast to it. `vectors`: what the struct's prepare() said.
/// An output may lie where an input of its shape and element size does. `slice`: the part that this call computes.
template <typename Rows>
Status elementwise(const Rows& rows, bool vectors, std::initializer_list<Operand> inputs,
                   std::initializer_list<Operand> outputs, Slice slice = Slice{}) {
  static_assert(Rows::kStep <= 128 && Rows::kOutputs > 0, "a step is at most a vector of bytes");
  if (inputs.size() != Rows::kInputs || outputs.size() != Rows::kOutputs) return Status::error;
  bool crouton = false;
  for (const Operand& o : inputs) crouton |= o.crouton();
  for (const Operand& o : outputs) {
    if (!rowwise::same_dims(o, *outputs.begin())) return Status::unsupported;
    crouton |= o.crouton();
  }
  if constexpr (rowwise::TakesBlocks<Rows>::value) {
    if (crouton) {
      Operand all[Rows::kInputs + Rows::kOutputs];
      for (uint32_t i = 0; i < Rows::kInputs; ++i) all[i] = inputs.begin()[i];
      for (uint32_t i = 0; i < Rows::kOutputs; ++i) all[Rows::kInputs + i] = outputs.begin()[i];
      return rowwise::croutons(rowwise::any_rows(rows, vectors), all, slice);
    }
  }
  if (crouton) return Status::unsupported;
  return rowwise::flat(rows, vectors, inputs.begin(), outputs.begin(), slice);
}

}  // namespace opkg

#endif  // OPKG_ROWS_H_

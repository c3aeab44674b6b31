// Reads DEF_TENSOR_PROPERTIES and works out what it allows.
// SPDX-License-Identifier: Apache-2.0
#include "classic_properties.h"

#include <cctype>
#include <cstdint>

#include "HTP/opkg/classic_abi.h"

namespace opkg {
namespace {

constexpr unsigned kFlat = 1u << kOpkgFlat, kCrouton = 1u << kOpkgCrouton;
constexpr unsigned kMain = 1u << kOpkgMain, kTcm = 1u << kOpkgTcm;

// A reader of `"text"`, `Name(argument, ...)` and commas. Numbers and bare names are kept as they are.
class Reader {
 public:
  explicit Reader(const char* text) : at_(text) {}

  bool done() {
    skip();
    return *at_ == '\0';
  }
  bool take(char c) {
    skip();
    if (*at_ != c) return false;
    ++at_;
    return true;
  }
  // A string literal (neighbours are joined) or a word.
  bool word(std::string* out) {
    skip();
    if (*at_ == '"') return literal(out);
    while (isalnum(static_cast<unsigned char>(*at_)) || *at_ == '_' || *at_ == ':' || *at_ == '.')
      *out += *at_++;
    return !out->empty();
  }
  bool arguments(std::vector<std::string>* out) {
    if (take(')')) return true;
    do {
      std::string argument;
      if (!word(&argument)) return false;
      out->push_back(argument);
    } while (take(','));
    return take(')');
  }

 private:
  void skip() {
    while (isspace(static_cast<unsigned char>(*at_))) ++at_;
  }
  bool literal(std::string* out) {
    while (take('"')) {
      while (*at_ != '"' && *at_ != '\0') *out += *at_++;
      if (*at_++ != '"') return false;
    }
    return true;
  }
  const char* at_;
};

// Indices of the operands that a term's argument names; outputs first.
std::vector<size_t> operandsNamed(const TensorProperties& p, const std::string& name, size_t outputs) {
  std::vector<size_t> found;
  if (name == "*") found.push_back(0);
  for (size_t i = 0; i < p.outputs.size(); i++) {
    if (p.outputs[i] == name && i < outputs) found.push_back(i);
  }
  for (size_t i = 0; i < p.inputs.size(); i++) {
    if (p.inputs[i] == name) found.push_back(outputs + i);
  }
  return found;
}

// One property (layout or placement) of all operands: the first term that sets an operand wins.
class Property {
 public:
  Property(size_t operands, unsigned free) : values_(operands, free), set_(operands, false) {}

  void apply(const TensorProperties& p, const PropertyTerm& term, unsigned value, size_t outputs) {
    for (const std::string& argument : term.arguments) {
      if (argument == "...") {
        for (size_t i = 0; i < values_.size(); i++) put(i, value);
        continue;
      }
      for (size_t i : operandsNamed(p, argument, outputs)) put(i, value);
    }
  }
  unsigned at(size_t i) const { return values_[i]; }

 private:
  void put(size_t i, unsigned value) {
    if (i >= values_.size() || set_[i]) return;
    values_[i] = value;
    set_[i] = true;
  }
  std::vector<unsigned> values_;
  std::vector<bool> set_;
};

}  // namespace

std::vector<OperandChoice> TensorProperties::choices(size_t outputs_count, size_t inputs_count) const {
  const size_t operands = outputs_count + inputs_count;
  Property layout(operands, kFlat | kCrouton), placement(operands, kMain | kTcm), preference(operands, 0);
  for (const PropertyTerm& term : terms) {
    const bool fixed = term.name == "Fixed" || term.name == "FixedConstant";
    if (term.name == "Flat" || fixed) layout.apply(*this, term, kFlat, outputs_count);
    if (term.name == "Crouton") layout.apply(*this, term, kCrouton, outputs_count);
    if (term.name == "MainMemory" || fixed) placement.apply(*this, term, kMain, outputs_count);
    if (term.name == "Tcm") placement.apply(*this, term, kTcm, outputs_count);
    if (term.name == "PreferTcm") preference.apply(*this, term, 1, outputs_count);
  }
  std::vector<OperandChoice> all;
  for (size_t i = 0; i < operands; i++) all.push_back({layout.at(i), placement.at(i), preference.at(i) != 0});
  return all;
}

bool parseTensorProperties(const char* text, const std::string& package, TensorProperties* out,
                           std::string* error) {
  Reader reader(text);
  bool first = true;
  while (!reader.done()) {
    PropertyTerm term;
    if (!reader.word(&term.name) || (reader.take('(') && !reader.arguments(&term.arguments))) {
      *error = std::string("cannot read DEF_TENSOR_PROPERTIES(") + text + ")";
      return false;
    }
    if (first) {  // Op("name", inputs...) or the bare name
      const bool with_inputs = term.name == "Op" && !term.arguments.empty();
      out->op = with_inputs ? term.arguments[0] : term.name;
      if (out->op.find("::") == std::string::npos) out->op = package + "::" + out->op;
      if (with_inputs) out->inputs.assign(term.arguments.begin() + 1, term.arguments.end());
    } else if (term.name == "Outputs") {
      out->outputs = term.arguments;
    } else {
      out->terms.push_back(term);
    }
    first = false;
    reader.take(',');
  }
  return !first;
}

std::vector<OperandChoice> defaultChoices(size_t operands) {
  return std::vector<OperandChoice>(operands, OperandChoice{kFlat, kMain});
}

}  // namespace opkg

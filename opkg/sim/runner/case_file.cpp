// Reads case files: a line-oriented text format with tokens separated by one space.
// SPDX-License-Identifier: Apache-2.0
#include "case_file.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace opkg {
namespace {

bool readWhole(const char* path, std::vector<uint8_t>* out, std::string* error) {
  FILE* file = fopen(path, "rb");
  if (file == nullptr) {
    *error = std::string(path) + ": " + strerror(errno);
    return false;
  }
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  out->resize(size > 0 ? static_cast<size_t>(size) : 0);
  const bool complete = out->empty() || fread(out->data(), 1, out->size(), file) == out->size();
  fclose(file);
  if (!complete) *error = std::string(path) + ": could not be read whole";
  return complete;
}

// The tokens of one line; every getter fails softly and remembers the first complaint.
class Tokens {
 public:
  explicit Tokens(std::string line) : line_(std::move(line)) {}

  std::string word(const char* what) {
    while (at_ < line_.size() && line_[at_] == ' ') ++at_;
    const size_t end = line_.find(' ', at_);
    std::string token = line_.substr(at_, end == std::string::npos ? end : end - at_);
    at_ = end == std::string::npos ? line_.size() : end;
    if (token.empty()) complain(std::string("missing ") + what);
    return token;
  }

  uint64_t number(const char* what, int base = 10) {
    const std::string token = word(what);
    char* end = nullptr;
    errno = 0;
    const uint64_t value = strtoull(token.c_str(), &end, base);
    if (token.empty() || *end != '\0' || errno != 0)
      complain(std::string("bad ") + what + " '" + token + "'");
    return value;
  }

  int32_t integer(const char* what) {
    const std::string token = word(what);
    char* end = nullptr;
    const long value = strtol(token.c_str(), &end, 10);
    if (token.empty() || *end != '\0') complain(std::string("bad ") + what + " '" + token + "'");
    return static_cast<int32_t>(value);
  }

  float real(const char* what) {
    const std::string token = word(what);
    char* end = nullptr;
    const float value = strtof(token.c_str(), &end);
    if (token.empty() || *end != '\0') complain(std::string("bad ") + what + " '" + token + "'");
    return value;
  }

  void complain(const std::string& text) {
    if (error.empty()) error = text;
  }

  std::string error;

 private:
  std::string line_;
  size_t at_ = 0;
};

// A count read from a file is only a hint of how much follows; a damaged one must not allocate the world.
constexpr uint64_t kMostItems = 1u << 20;

uint64_t count(Tokens* tokens, const char* what) {
  const uint64_t value = tokens->number(what);
  if (value > kMostItems) tokens->complain(std::string(what) + " is too large");
  return tokens->error.empty() ? value : 0;
}

TensorKind tensorKind(Tokens* tokens) {
  const std::string kind = tokens->word("tensor kind");
  if (kind == "input") return TensorKind::kInput;
  if (kind == "output") return TensorKind::kOutput;
  if (kind == "native") return TensorKind::kNative;
  if (kind == "static") return TensorKind::kStatic;
  if (kind == "null") return TensorKind::kNull;
  tokens->complain("unknown tensor kind '" + kind + "'");
  return TensorKind::kNative;
}

Quant quantization(Tokens* tokens) {
  Quant quant;
  const std::string kind = tokens->word("quantization");
  uint64_t pairs = 0;
  if (kind == "so") {
    quant.kind = QuantKind::kScaleOffset;
    pairs = 1;
  } else if (kind == "axis") {
    quant.kind = QuantKind::kAxis;
    quant.axis = tokens->integer("axis");
    pairs = count(tokens, "scale count");
  } else if (kind != "none") {
    tokens->complain("unknown quantization '" + kind + "'");
  }
  for (uint64_t i = 0; i < pairs && tokens->error.empty(); ++i) {
    ScaleOffset value;
    value.scale = tokens->real("scale");
    value.offset = tokens->integer("offset");
    quant.values.push_back(value);
  }
  return quant;
}

void dataRange(Tokens* tokens, const std::vector<uint8_t>& data, TensorSpec* tensor) {
  const std::string offset = tokens->word("data offset");
  const std::string size = tokens->word("data size");
  const bool holds_data = tensor->kind == TensorKind::kInput || tensor->kind == TensorKind::kStatic;
  if (offset == "-" && size == "-") {
    if (holds_data) tokens->complain("tensor " + tensor->name + " needs data");
    return;
  }
  const uint64_t from = strtoull(offset.c_str(), nullptr, 10);
  const uint64_t bytes = strtoull(size.c_str(), nullptr, 10);
  if (from > data.size() || bytes > data.size() - from) {
    return tokens->complain("data of tensor " + tensor->name + " lies outside the data file");
  }
  tensor->data = data.data() + from;
  tensor->size = bytes;
}

TensorSpec tensorLine(Tokens* tokens, const std::vector<uint8_t>& data) {
  TensorSpec tensor;
  tensor.name = tokens->word("tensor name");
  tensor.kind = tensorKind(tokens);
  tensor.dtype = static_cast<uint32_t>(tokens->number("data type", 16));
  const uint64_t rank = count(tokens, "rank");
  for (uint64_t i = 0; i < rank && tokens->error.empty(); ++i) {
    tensor.dims.push_back(static_cast<uint32_t>(tokens->number("dimension")));
  }
  tensor.quant = quantization(tokens);
  dataRange(tokens, data, &tensor);
  return tensor;
}

ParamSpec paramTokens(Tokens* tokens) {
  ParamSpec param;
  const std::string kind = tokens->word("param kind");
  param.name = tokens->word("param name");
  param.scalar = kind == "scalar";
  if (param.scalar) {
    param.dtype = static_cast<uint32_t>(tokens->number("data type", 16));
    param.bits = tokens->number("param bits", 16);
  } else if (kind == "tensor") {
    param.tensor = tokens->word("param tensor");
  } else {
    tokens->complain("unknown param kind '" + kind + "'");
  }
  return param;
}

NodeSpec nodeLine(Tokens* tokens) {
  NodeSpec node;
  node.name = tokens->word("node name");
  node.package = tokens->word("package");
  node.type = tokens->word("op type");
  for (std::vector<std::string>* list : {&node.inputs, &node.outputs}) {
    const uint64_t tensors = count(tokens, "tensor count");
    for (uint64_t i = 0; i < tensors && tokens->error.empty(); ++i)
      list->push_back(tokens->word("tensor name"));
  }
  const uint64_t params = count(tokens, "param count");
  for (uint64_t i = 0; i < params && tokens->error.empty(); ++i) node.params.push_back(paramTokens(tokens));
  while (!node.inputs.empty() && node.inputs.back() == "-") node.inputs.pop_back();
  return node;
}

// Names that a node uses must exist in its case.
std::string danglingName(const Case& test) {
  for (const NodeSpec& node : test.nodes) {
    for (const std::vector<std::string>* list : {&node.inputs, &node.outputs}) {
      for (const std::string& name : *list) {
        if (test.find(name) == nullptr) return name;
      }
    }
    for (const ParamSpec& param : node.params) {
      if (!param.scalar && test.find(param.tensor) == nullptr) return param.tensor;
    }
  }
  return "";
}

class Reader {
 public:
  explicit Reader(CaseFile* out) : out_(out) {}

  // One line of the file; returns what is wrong with it, or nothing.
  std::string line(const std::string& text) {
    Tokens tokens(text);
    const std::string keyword = tokens.word("keyword");
    if (keyword == "opkg-cases") {
      if (tokens.number("version") != 1) tokens.complain("unknown version of the case format");
      seen_header_ = true;
    } else if (!seen_header_) {
      tokens.complain("the first line must be 'opkg-cases 1'");
    } else if (keyword == "case") {
      current_ = Case();
      current_.index = static_cast<int>(tokens.number("case index"));
      current_.name = tokens.word("case name");
      open_ = true;
    } else if (!open_) {
      tokens.complain("'" + keyword + "' outside a case");
    } else if (keyword == "tensor") {
      current_.tensors.push_back(tensorLine(&tokens, out_->data));
    } else if (keyword == "node") {
      current_.nodes.push_back(nodeLine(&tokens));
    } else if (keyword == "end") {
      const std::string name = danglingName(current_);
      if (!name.empty()) tokens.complain("no tensor '" + name + "' in case " + current_.name);
      out_->cases.push_back(std::move(current_));
      open_ = false;
    } else {
      tokens.complain("unknown record '" + keyword + "'");
    }
    return tokens.error;
  }

  bool open() const { return open_; }

 private:
  CaseFile* out_;
  Case current_;
  bool seen_header_ = false;
  bool open_ = false;
};

}  // namespace

const TensorSpec* Case::find(const std::string& tensor) const {
  for (const TensorSpec& spec : tensors) {
    if (spec.name == tensor) return &spec;
  }
  return nullptr;
}

bool readCaseFile(const char* cases_path, const char* data_path, CaseFile* out, std::string* error) {
  std::vector<uint8_t> text;
  if (!readWhole(cases_path, &text, error) || !readWhole(data_path, &out->data, error)) return false;
  Reader reader(out);
  const char* at = reinterpret_cast<const char*>(text.data());
  const char* const end = at + text.size();
  for (int number = 1; at < end; ++number) {
    const char* newline = static_cast<const char*>(memchr(at, '\n', static_cast<size_t>(end - at)));
    const char* const stop = newline != nullptr ? newline : end;
    if (stop != at) *error = reader.line(std::string(at, stop));
    if (!error->empty()) {
      *error = std::string(cases_path) + ":" + std::to_string(number) + ": " + *error;
      return false;
    }
    at = stop + 1;
  }
  if (reader.open()) *error = std::string(cases_path) + ": the last case has no 'end'";
  return error->empty();
}

uint64_t elementCount(const std::vector<uint32_t>& dims) {
  uint64_t elements = 1;
  for (uint32_t dim : dims) elements *= dim;
  return elements;
}

uint32_t qnnTypeSize(uint32_t dtype) {
  switch (dtype & 0xFFu) {  // the low byte reads as the width in decimal digits
    case 0x04:
    case 0x08:
      return 1;
    case 0x16:
      return 2;
    case 0x32:
      return 4;
    case 0x64:
      return 8;
    default:
      return 0;
  }
}

}  // namespace opkg

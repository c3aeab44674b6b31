// Writes results as JSON lines and raw bytes, and gathers log lines.
// SPDX-License-Identifier: Apache-2.0
#include "results.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdio>

#include "progress.h"

namespace opkg {
namespace {

pthread_mutex_t g_log_mutex = PTHREAD_MUTEX_INITIALIZER;
std::vector<LogLine> g_log;
constexpr size_t kMostReport = 100000;  // bytes of a sanitizer's report
constexpr size_t kMostLogLines = 1000;  // a backend in a loop must not fill the disk

void writeAll(int fd, const char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(fd, bytes, size);
    if (written <= 0) return;
    bytes += written;
    size -= static_cast<size_t>(written);
  }
}

const char* levelName(int level) {
  static const char* const kNames[] = {"error", "error", "warn", "info", "verbose", "debug"};
  return level >= 0 && level <= 5 ? kNames[level] : "debug";
}

void appendField(std::string* out, const char* key, const std::string& text) {
  out->append("\"").append(key).append("\": ");
  appendJsonString(out, text);
}

void appendKernels(std::string* out, const std::vector<KernelUse>& kernels) {
  out->append("\"kernels\": [");
  const char* separator = "{";
  for (const KernelUse& use : kernels) {
    out->append(separator);
    appendField(out, "node", use.node);
    appendField(&out->append(", "), "op", use.op);
    appendField(&out->append(", "), "kernel", use.kernel);
    out->append("}");
    separator = ", {";
  }
  out->append("]");
}

void appendOutputs(std::string* out, const char* key, const std::vector<OutputRange>& outputs) {
  out->append("\"").append(key).append("\": [");
  const char* separator = "{";
  for (const OutputRange& range : outputs) {
    char dtype[16];
    snprintf(dtype, sizeof dtype, "0x%03x", range.dtype);
    out->append(separator);
    appendField(out, "name", range.name);
    appendField(&out->append(", "), "dtype", dtype);
    out->append(", \"dims\": [");
    for (size_t i = 0; i < range.dims.size(); ++i) {
      out->append(i == 0 ? "" : ", ").append(std::to_string(range.dims[i]));
    }
    out->append("], \"offset\": ").append(std::to_string(range.offset));
    out->append(", \"size\": ").append(std::to_string(range.size)).append("}");
    separator = ", {";
  }
  out->append("]");
}

void appendLog(std::string* out, const std::vector<LogLine>& log) {
  out->append("\"log\": [");
  const char* separator = "{";
  for (const LogLine& line : log) {
    out->append(separator);
    appendField(out, "level", levelName(line.level));
    appendField(&out->append(", "), "text", line.text);
    out->append("}");
    separator = ", {";
  }
  out->append("]");
}

}  // namespace

void appendJsonString(std::string* out, const std::string& text) {
  out->push_back('"');
  for (const char character : text) {
    const unsigned char byte = static_cast<unsigned char>(character);
    if (byte == '"' || byte == '\\') {
      out->push_back('\\');
      out->push_back(character);
    } else if (byte == '\n') {
      out->append("\\n");
    } else if (byte < 0x20 || byte >= 0x7F) {  // bytes, so that any text makes valid JSON
      char escape[8];
      snprintf(escape, sizeof escape, "\\u%04x", byte);
      out->append(escape);
    } else {
      out->push_back(character);
    }
  }
  out->push_back('"');
}

void LogCapture::add(int level, const char* format, va_list args) {
  char text[2048];
  vsnprintf(text, sizeof text, format, args);
  add(level, std::string(text));
}

void LogCapture::add(int level, std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  pthread_mutex_lock(&g_log_mutex);
  if (g_log.size() < kMostLogLines) g_log.push_back({level, std::move(text)});
  pthread_mutex_unlock(&g_log_mutex);
}

std::vector<LogLine> LogCapture::take() {
  pthread_mutex_lock(&g_log_mutex);
  std::vector<LogLine> lines;
  lines.swap(g_log);
  pthread_mutex_unlock(&g_log_mutex);
  return lines;
}

bool ResultWriter::open(const char* results_path, const char* out_path, bool append) {
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND | (append ? 0 : O_TRUNC);
  results_fd_ = ::open(results_path, flags, 0644);
  out_fd_ = ::open(out_path, flags, 0644);
  return results_fd_ >= 0 && out_fd_ >= 0;
}

OutputRange ResultWriter::append(const TensorSpec& tensor, const std::vector<uint8_t>& bytes) {
  const off_t offset = lseek(out_fd_, 0, SEEK_END);
  writeAll(out_fd_, reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return {tensor.name, tensor.dtype, tensor.dims, static_cast<uint64_t>(offset), bytes.size()};
}

void ResultWriter::addReport(const char* prefix, int pid) {
  std::string text;
  for (const char* kind : {"", ".stderr"}) {  // UBSan writes to the latter
    const std::string path = std::string(prefix) + kind + "." + std::to_string(pid);
    FILE* const file = fopen(path.c_str(), "r");
    if (file == nullptr) continue;
    std::string part(kMostReport, '\0');
    part.resize(fread(&part[0], 1, part.size(), file));
    fclose(file);
    unlink(path.c_str());
    text += part;
  }
  if (text.empty()) return;
  std::string line = "{\"case\": " + std::to_string(progress().case_index) + ", ";
  appendField(&line, "report", text);
  line.append("}\n");
  writeAll(results_fd_, line.data(), line.size());
}

void ResultWriter::write(const CaseResult& result) {
  std::string line = "{\"case\": " + std::to_string(result.index) + ", ";
  appendField(&line, "name", result.name);
  appendField(&line.append(", "), "status", result.outcome.status);
  appendField(&line.append(", "), "stage", result.outcome.stage);
  line.append(", \"code\": ").append(std::to_string(result.outcome.code)).append(", ");
  appendField(&line, "message", result.outcome.message);
  appendKernels(&line.append(", "), result.kernels);
  appendOutputs(&line.append(", "), "outputs", result.outputs);
  if (!result.after.empty()) appendField(&line.append(", "), "after", result.after);
  if (!result.again.empty()) appendOutputs(&line.append(", "), "again", result.again);
  std::vector<LogLine> log;
  std::vector<std::string> trace = result.trace;
  for (const LogLine& logged : result.log) {
    const bool fired = logged.text.compare(0, sizeof kRuleFired - 1, kRuleFired) == 0;
    fired ? trace.push_back(logged.text) : log.push_back(logged);
  }
  appendLog(&line.append(", "), log);
  line.append(", \"trace\": [");
  for (size_t i = 0; i < trace.size(); ++i) {
    line.append(i == 0 ? "" : ", ");
    appendJsonString(&line, trace[i]);
  }
  line.append("], \"vector\": ").append(std::to_string(result.paths.vector));
  line.append(", \"portable\": ").append(std::to_string(result.paths.portable));
  line.append(", \"us\": ").append(std::to_string(result.us)).append("}\n");
  writeAll(results_fd_, line.data(), line.size());
}

}  // namespace opkg

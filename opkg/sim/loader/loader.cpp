// A strict loader for Hexagon libraries, run in qemu-hexagon: takes what DSP libraries are, refuses all else, and asks the
// package inside for its records.
//
//     loader.elf LIBRARY PROVIDER [KERNEL ELEMENTS]
//
// It maps two segments, checks the SWIV record, applies four kinds of relocations, resolves names from the table of a DSP's
// shell alone (kNames, generated), and runs no constructor. Tab-separated lines on stdout say what it found; exit code 1 and a
// line on stderr say what it refused. With KERNEL, that kernel runs on flat tensors whose bytes count up from 0.
// SPDX-License-Identifier: Apache-2.0
#include "loader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opkg/qnn_abi.h"
#include "system.h"

namespace loader {
namespace {

constexpr uint32_t kPage = 0x1000;
constexpr uint32_t kSwiv = 0xD3574956;
enum : uint32_t { kLoad = 1, kDynamic = 2, kReadExecute = 5, kReadWrite = 6 };
enum : uint32_t { kHash = 4, kStrings = 5, kSymbols = 6, kRela = 7, kRelaSize = 8, kPltSize = 2, kPlt = 23 };
enum : uint32_t { kNeeded = 1, kInit = 12, kTextRelocations = 22, kInitArray = 25, kGnuHash = 0x6ffffef5 };
enum : uint32_t { kWord32 = 6, kGlobalData = 33, kJumpSlot = 34, kRelative = 35 };

struct Header {
  uint8_t ident[16];
  uint16_t type, machine;
  uint32_t version, entry, segments, sections, flags;
  uint16_t size, segment_size, segment_count, section_size, section_count, names;
};
struct Segment {
  uint32_t type, offset, address, physical, file_size, memory_size, flags, align;
};
struct Section {
  uint32_t name, type, flags, address, offset, size, link, info, align, entry_size;
};
struct Symbol {
  uint32_t name, value, size;
  uint8_t info, other;
  uint16_t section;
};
struct Relocation {
  uint32_t offset, info;
  int32_t addend;
};

char* g_image;  // where address 0 of the library lies
uint32_t g_writable, g_end;  // addresses of the second segment and behind it
uint32_t g_tags[40];

template <typename T>
T* at(uint32_t address) {
  return reinterpret_cast<T*>(g_image + address);
}

const char* text(uint32_t offset) { return at<char>(g_tags[kStrings]) + offset; }

char* read_whole(const char* path, uint32_t& size) {
  const int file = opkg_open(path, kOpenRead);
  if (file < 0) refuse("cannot open", path);
  constexpr uint32_t kMost = 16u << 20;
  char* data = static_cast<char*>(opkg_map(kMost));
  for (long done = 1; done > 0; size += done) done = opkg_read(file, data + size, kMost - size);
  return data;
}

uint32_t crc_of(uint32_t crc, const char* data, uint32_t size) {  // reflected CRC-32, bit by bit
  for (uint32_t i = 0; i < size; ++i) {
    crc ^= static_cast<uint8_t>(data[i]);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  return crc;
}

/// Copies the segments to their addresses; `file` holds the library.
void map(const char* file, const Header& header) {
  const Segment* load[2] = {};
  uint32_t count = 0;
  const Segment* segments = reinterpret_cast<const Segment*>(file + header.segments);
  for (uint32_t i = 0; i < header.segment_count; ++i) {
    if (segments[i].type != kLoad) continue;
    if (count == 2) refuse("more than two LOAD segments", "");
    load[count++] = &segments[i];
  }
  if (count != 2 || load[0]->flags != kReadExecute || load[1]->flags != kReadWrite) refuse("not one RX and one RW segment", "");
  for (const Segment* segment : load) {
    if (segment->align != kPage || segment->offset % kPage != 0 || segment->address % kPage != 0) {
      refuse("a segment that is not on a page", "");
    }
  }
  g_writable = load[1]->address;
  g_end = load[1]->address + load[1]->memory_size;
  g_image = static_cast<char*>(map_executable(g_end + 128));  // the emulator's pages are larger than the library's: one mapping
  for (const Segment* segment : load) memcpy(g_image + segment->address, file + segment->offset, segment->file_size);
  uint32_t crc = ~0u;
  for (const Segment* segment : load) crc = crc_of(crc, g_image + segment->address, segment->memory_size);
  const Section& last = reinterpret_cast<const Section*>(file + header.sections)[header.section_count - 1];
  uint32_t record[4] = {};
  if (last.type != kSwiv || last.size != sizeof record) refuse("section header for CRC segment not found", "");
  memcpy(record, file + last.offset, sizeof record);
  if (memcmp(record, "SWIV", 4) != 0 || record[1] != ~crc || (record[2] | record[3]) != 0) refuse("a wrong checksum", "");
}

void read_dynamic(const char* file, const Header& header) {
  const Segment* segments = reinterpret_cast<const Segment*>(file + header.segments);
  for (uint32_t i = 0; i < header.segment_count; ++i) {
    if (segments[i].type != kDynamic) continue;
    for (const uint32_t* entry = at<uint32_t>(segments[i].address); entry[0] != 0; entry += 2) {
      const uint32_t tag = entry[0];
      if (tag == kNeeded || tag == kInit || tag == kTextRelocations || (tag >= kInitArray && tag <= 28) || tag == kGnuHash) {
        refuse("a dynamic entry that needs more than this loader does", "");
      }
      if (tag < 40) g_tags[tag] = entry[1];
    }
  }
  if (g_tags[kHash] == 0 || g_tags[kSymbols] == 0) refuse("no DT_HASH", "");
}

uint32_t address_of(const Symbol& symbol) {
  if (symbol.section != 0) return reinterpret_cast<uintptr_t>(g_image) + symbol.value;
  for (const Name* name = kNames; name->name != nullptr; ++name) {
    if (strcmp(name->name, text(symbol.name)) == 0) return reinterpret_cast<uintptr_t>(name->function);
  }
  refuse("undefined PLT symbol", text(symbol.name));
}

void relocate(uint32_t table, uint32_t size) {
  for (const Relocation* r = at<Relocation>(table); r != at<Relocation>(table + size); ++r) {
    if (r->offset < g_writable || r->offset + 4 > g_end) refuse("a relocation outside of the RW segment", "");
    const uint32_t type = r->info & 255;
    const Symbol& symbol = at<Symbol>(g_tags[kSymbols])[r->info >> 8];
    uint32_t value = reinterpret_cast<uintptr_t>(g_image);
    if (type == kWord32 || type == kGlobalData || type == kJumpSlot) {
      value = address_of(symbol);
    } else if (type != kRelative) {
      refuse("a relocation of an unknown kind", "");
    }
    value += r->addend;
    memcpy(at<char>(r->offset), &value, sizeof value);
  }
}

template <typename Function>
Function exported(const char* name) {
  const uint32_t count = at<uint32_t>(g_tags[kHash])[1];
  for (uint32_t i = 1; i < count; ++i) {
    const Symbol& symbol = at<Symbol>(g_tags[kSymbols])[i];
    if (symbol.section != 0 && strcmp(text(symbol.name), name) == 0) return reinterpret_cast<Function>(g_image + symbol.value);
  }
  refuse("the library does not export", name);
}

/// The package's log callback: what comes through `args` was put there on the other side of the library's border.
void log(const char* format, QnnLog_Level_t level, uint64_t, va_list args) {
  char line[512];
  vsnprintf(line, sizeof line, format, args);
  say("log\t%d\t%s\n", static_cast<int>(level), line);
}

void ask(QnnOpPackage_InterfaceProvider_t provider) {
  QnnOpPackage_Interface_t interface = {};
  if (provider(&interface) != 0) refuse("the provider failed", "");
  const QnnOpPackage_ImplementationV1_4_t& api = interface.v1_4;
  if (api.logInitialize(log, QNN_LOG_LEVEL_INFO) != 0 || api.init(nullptr) != 0) refuse("init failed", "");
  const QnnOpPackage_Info_t* info = nullptr;
  if (api.getInfo(&info) != 0 || info == nullptr) refuse("getInfo failed", "");
  say("package\t%s\n", info->packageName);
  for (uint32_t i = 0; i < info->numOperations; ++i) say("operation\t%s\n", info->operationNames[i]);
  Qnn_OpConfig_t config = QNN_OPCONFIG_INIT;
  config.v1.packageName = info->packageName;
  config.v1.typeName = "Nobody's";
  if (api.validateOpConfig(config) == 0) refuse("an unknown op was accepted", "");
}

}  // namespace

int run(const char* path, const char* provider, const char* kernel, uint32_t elements) {
  uint32_t size = 0;
  const char* file = read_whole(path, size);
  Header header;
  memcpy(&header, file, sizeof header);
  if (size < sizeof header || memcmp(header.ident, "\177ELF\1\1", 6) != 0 || header.type != 3 || header.machine != 164) {
    refuse("not a Hexagon library", path);
  }
  map(file, header);
  read_dynamic(file, header);
  relocate(g_tags[kRela], g_tags[kRelaSize]);
  relocate(g_tags[kPlt], g_tags[kPltSize]);
  ask(exported<QnnOpPackage_InterfaceProvider_t>(provider));
  say("registered\t%s\n", exported<const char* (*)()>("qhpi_init")());
  return kernel != nullptr ? call(kernel, elements) : 0;
}

}  // namespace loader

int main(int argc, char** argv) {
  if (argc < 3) loader::refuse("usage: loader.elf LIBRARY PROVIDER [KERNEL ELEMENTS]", "");
  uint32_t elements = 0;
  for (const char* digit = argc > 4 ? argv[4] : ""; *digit != 0; ++digit) elements = elements * 10 + (*digit - '0');
  return loader::run(argv[1], argv[2], argc > 4 ? argv[3] : nullptr, elements);
}

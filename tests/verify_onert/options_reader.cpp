// Reads custom_options from stdin, each with its length in front, and prints a line for each: its entries, or what is
// wrong.
#include <cinttypes>
#include <cstdio>

#include "custom_options.h"

namespace {

// Lists that hold themselves end at this depth, as in custom_call.h, and when they are longer than any buffer here.
void print(const opkg::Option& option, int depth, int& left) {
  if (depth > 4 || --left < 0) throw std::invalid_argument("a list in itself");
  if (option.is_list()) {
    std::printf("[");
    for (size_t i = 0; i < option.count(); ++i) {
      if (i != 0) std::printf(", ");
      print(option.element(i), depth + 1, left);
    }
    std::printf("]");
  } else if (option.is_bool()) {
    std::printf("%s", option.integer() != 0 ? "true" : "false");
  } else if (option.is_integer()) {
    std::printf("%" PRId64, option.integer());
  } else {
    std::printf("%.17g", option.number());
  }
}

}  // namespace

int main() {
  uint32_t size;
  while (std::fread(&size, sizeof size, 1, stdin) == 1) {
    std::vector<uint8_t> bytes(size);
    if (std::fread(bytes.data(), 1, size, stdin) != size) return 1;
    try {
      const opkg::Option map = opkg::Option::map(bytes.data(), bytes.size());
      for (size_t i = 0; i < map.count(); ++i) {
        std::printf("%s=", map.key(i).c_str());
        int left = 2000;
        print(map.element(i), 0, left);
        std::printf(";");
      }
      std::printf("\n");
    } catch (const std::invalid_argument& refused) {
      std::printf("! %s\n", refused.what());
    }
  }
}

// Runs all generated tests; the exit code says whether all of them hold.
#include "onert/gtest.h"

int main() {
  for (const auto& one : testing::cases()) {
    const int before = testing::failures();
    try {
      one.run();
    } catch (const std::exception& failure) {
      testing::fail(failure.what(), one.suite, 0);
    }
    std::printf("%s %s.%s\n", testing::failures() == before ? "ok" : "FAILED", one.suite, one.name);
  }
  return testing::failures() == 0 ? 0 : 1;
}

// The part of googletest's macros that generated tests use, for a program that runs them all and fails when one does.
#ifndef OPKG_ONERT_GTEST_H_
#define OPKG_ONERT_GTEST_H_

#include <cstdio>
#include <exception>
#include <vector>

namespace testing {

struct Test {
  virtual ~Test() = default;
};

struct Case {
  const char *suite, *name;
  void (*run)();
};

inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}
inline int& failures() {
  static int count = 0;
  return count;
}
inline void fail(const char* what, const char* file, int line) {
  std::printf("%s:%d: %s\n", file, line, what);
  ++failures();
}
struct Added {
  Added(const char* suite, const char* name, void (*run)()) { cases().push_back({suite, name, run}); }
};

}  // namespace testing

#define OPKG_CASE(suite, name, base)                                                                      \
  struct suite##_##name##_Test : base {                                                                   \
    void TestBody();                                                                                      \
    static void run() { suite##_##name##_Test().TestBody(); }                                             \
  };                                                                                                      \
  static const ::testing::Added suite##_##name##_added(#suite, #name, suite##_##name##_Test::run);        \
  void suite##_##name##_Test::TestBody()
#define TEST(suite, name) OPKG_CASE(suite, name, ::testing::Test)
#define TEST_F(suite, name) OPKG_CASE(suite, name, suite)
#define EXPECT_TRUE(value) ((value) ? void() : ::testing::fail("not true: " #value, __FILE__, __LINE__))
#define EXPECT_EQ(a, b) ((a) == (b) ? void() : ::testing::fail("not equal: " #a " and " #b, __FILE__, __LINE__))
#define EXPECT_THROW(statement, type)                                           \
  do {                                                                          \
    bool thrown_ = false;                                                       \
    try {                                                                       \
      statement;                                                                \
    } catch (const type&) {                                                     \
      thrown_ = true;                                                           \
    }                                                                           \
    if (!thrown_) ::testing::fail("nothing thrown: " #statement, __FILE__, __LINE__); \
  } while (0)
#define SUCCEED() void()

#endif  // OPKG_ONERT_GTEST_H_

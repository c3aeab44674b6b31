// Stand-in for the fixture of tests that run generated models.
#ifndef OPKG_ONERT_GEN_MODEL_TEST_H_
#define OPKG_ONERT_GEN_MODEL_TEST_H_

#include "onert/gtest.h"
#include "onert/loader.h"

class GenModelTest : public ::testing::Test {
 public:
  ~GenModelTest() override {
    try {
      if (_context) _context->run();
    } catch (const std::exception& failure) {
      ::testing::fail(failure.what(), "model", 0);
    }
  }

 protected:
  std::unique_ptr<GenModelTestContext> _context;
};

#endif  // OPKG_ONERT_GEN_MODEL_TEST_H_

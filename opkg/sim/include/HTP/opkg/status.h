// Status codes, element types, op flags and costs of the classic interface.
// SPDX-License-Identifier: Apache-2.0
#ifndef OPKG_HTP_STATUS_H_
#define OPKG_HTP_STATUS_H_

#include "sdk.h"

// What a kernel returns. The codes are numbers, so that a kernel which returns int may write GraphStatus::Success too, and
// can be spelled GraphStatus::GraphErrorCode::Success.
class GraphStatus {
 public:
  enum GraphErrorCode : int {
    Success = 0,
    ErrorFatal = -1,
#if OPKG_SIM_HAS_243
    ErrorRank = 31,
#else
    ErrorRank = 1,
#endif
    ErrorDimensions = 2,
    ErrorPrecision = 3,
    ErrorNAN = 4,
    ErrorNoTCM = 5,
    ErrorNoSpace = 6,
    ErrorUnsupported = 7,
    ErrorSequence = 8,
    ErrorBadID = 9,
    ErrorBadInput = 10,
  };
  constexpr GraphStatus(GraphErrorCode code = Success) : code_(code) {}
  constexpr operator GraphErrorCode() const { return code_; }

 private:
  GraphErrorCode code_;
};

// The codes are known without the class's name, too.
#define OPKG_SIM_STATUS(NAME) inline constexpr GraphStatus::GraphErrorCode NAME = GraphStatus::NAME;
OPKG_SIM_STATUS(Success)
OPKG_SIM_STATUS(ErrorFatal)
OPKG_SIM_STATUS(ErrorRank)
OPKG_SIM_STATUS(ErrorDimensions)
OPKG_SIM_STATUS(ErrorPrecision)
OPKG_SIM_STATUS(ErrorNAN)
OPKG_SIM_STATUS(ErrorNoTCM)
OPKG_SIM_STATUS(ErrorNoSpace)
OPKG_SIM_STATUS(ErrorUnsupported)
OPKG_SIM_STATUS(ErrorSequence)
OPKG_SIM_STATUS(ErrorBadID)
OPKG_SIM_STATUS(ErrorBadInput)
#undef OPKG_SIM_STATUS

enum class DType : uint32_t {
  UNKNOWN = 0,
  QUInt8 = 1,
  QUInt16 = 2,
  QInt16 = 3,
  Float32 = 4,
  Int32 = 5,
  QInt32 = 6,
  QInt8 = 7,
  Float16 = 8,
  Int64 = 9,
#if OPKG_SIM_HAS_243
  BFloat16 = 10,
#endif
  None = 254,
  Multi = 255,
};

// Bytes of one element; 0 for tags that are no element type.
constexpr size_t dtype_size(DType dtype) {
  switch (dtype) {
    case DType::QUInt8:
    case DType::QInt8:
      return 1;
    case DType::QUInt16:
    case DType::QInt16:
    case DType::Float16:
      return 2;
    case DType::Float32:
    case DType::Int32:
    case DType::QInt32:
      return 4;
    case DType::Int64:
      return 8;
    default:
      return 0;
  }
}

struct DTypeScaleOff {
  DType dtype;
  float scale;
  int32_t offset;
};

// Flags of a registered op; they must be written Flags::X. RESOURCE_HMX is not for external packages.
class Flags {
 public:
  enum Value : uint32_t {
    IS_CONST = 0,
    INHIBIT_CONST_PROP = 1,
    RESOURCE_HVX = 2,
    RESOURCE_HMX = 3,
    RESOURCE_HLX = 4,
    IS_DMA = 5,
  };
  constexpr Flags(Value value) : value_(value) {}
  constexpr operator Value() const { return value_; }

 private:
  Value value_;
};

namespace opkg_sim {

// A cost in cycles. Only the four names below, or fractions and multiples of them, are costs: a bare number
// is not.
class Cost {
 public:
  constexpr explicit Cost(float cycles) : cycles_(cycles) {}
  constexpr float cycles() const { return cycles_; }
  constexpr Cost operator/(float divisor) const { return Cost(cycles_ / divisor); }
  constexpr Cost operator*(float factor) const { return Cost(cycles_ * factor); }

 private:
  float cycles_;
};

}  // namespace opkg_sim

inline constexpr opkg_sim::Cost GLACIAL(281474976710656.0f);  // 2^48
inline constexpr opkg_sim::Cost SNAIL(4294967296.0f);         // 2^32
inline constexpr opkg_sim::Cost FAST(256.0f);
inline constexpr opkg_sim::Cost FREE(5.421010862427522e-20f);  // 2^-64
inline constexpr opkg_sim::Cost DISABLE(1125899906842624.0f);  // 2^50

#endif  // OPKG_HTP_STATUS_H_

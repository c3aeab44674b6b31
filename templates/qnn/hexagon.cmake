# CMake toolchain for Hexagon: the SDK's compiler when HEXAGON_SDK_ROOT is set (a variable of CMake's or of the
# environment), else an open clang and lld with the headers in HEXAGON_INCLUDE (default: those of python3's opkg).
set(CMAKE_SYSTEM_NAME Linux)  # CMake makes no shared libraries for Generic
set(CMAKE_SYSTEM_PROCESSOR hexagon)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HEXAGON_SDK_ROOT HEXAGON_ARCH HEXAGON_INCLUDE HEXAGON_TABLES)

if(NOT HEXAGON_ARCH)
  set(HEXAGON_ARCH v68)
endif()
if(NOT HEXAGON_SDK_ROOT)
  set(HEXAGON_SDK_ROOT "$ENV{HEXAGON_SDK_ROOT}")
endif()

find_program(HEXAGON_PYTHON NAMES python3 python)
if(NOT HEXAGON_INCLUDE)
  execute_process(
    COMMAND "${HEXAGON_PYTHON}" -c "import opkg; print(opkg.__path__[0] + '/sim/freestanding')"
    OUTPUT_VARIABLE HEXAGON_INCLUDE OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
# The names that DSPs and QNN export; without them imports are not checked.
if(HEXAGON_INCLUDE AND NOT HEXAGON_TABLES)
  set(HEXAGON_TABLES "${HEXAGON_INCLUDE}/../../device/tables")
endif()
# The DSP exports its allocator under these names alone.
set(HEXAGON_WRAP --wrap=malloc --wrap=calloc --wrap=realloc --wrap=free --wrap=memalign)

if(HEXAGON_SDK_ROOT)
  file(GLOB HEXAGON_CXX "${HEXAGON_SDK_ROOT}/tools/HEXAGON_Tools/*/Tools/bin/hexagon-clang++")
  list(GET HEXAGON_CXX 0 CMAKE_CXX_COMPILER)
  set(CMAKE_CXX_FLAGS_INIT "-m${HEXAGON_ARCH} -mhvx -mhvx-length=128B -isystem \"${HEXAGON_SDK_ROOT}/incs\" -isystem \"${HEXAGON_SDK_ROOT}/incs/stddef\"")
  set(HEXAGON_SDK --sdk)
  list(JOIN HEXAGON_WRAP " -Wl," HEXAGON_WRAP_WORDS)
  set(CMAKE_SHARED_LINKER_FLAGS_INIT "-m${HEXAGON_ARCH} -Wl,--gc-sections -Wl,${HEXAGON_WRAP_WORDS}")
else()
  find_program(HEXAGON_CLANG NAMES clang++-19 clang++)
  find_program(HEXAGON_LD NAMES ld.lld-19 ld.lld)
  if(NOT HEXAGON_INCLUDE)
    message(FATAL_ERROR "set HEXAGON_INCLUDE to the folder opkg/sim/freestanding, or HEXAGON_SDK_ROOT")
  endif()
  set(CMAKE_CXX_COMPILER ${HEXAGON_CLANG})
  set(CMAKE_CXX_COMPILER_TARGET hexagon-unknown-none-elf)
  set(CMAKE_CXX_FLAGS_INIT "-mcpu=hexagon${HEXAGON_ARCH} -mhvx -mhvx-length=128B -G0 -fno-exceptions -fno-rtti -fno-threadsafe-statics -nostdlibinc -nostdinc++ -isystem \"${HEXAGON_INCLUDE}\"")
  list(JOIN HEXAGON_WRAP " " HEXAGON_WRAP_WORDS)
  # Saving and restoring of registers that small functions share, in the library itself, where that opkg has it.
  file(GLOB HEXAGON_FRAMES "${HEXAGON_INCLUDE}/../hexagon/frames.cpp")
  # Two segments on pages of 4 KiB, as all libraries of the DSP have them.
  set(CMAKE_CXX_CREATE_SHARED_LIBRARY
    "\"${HEXAGON_LD}\" -m hexagonelf -shared --gc-sections -O2 --icf=safe --no-rosegment -z separate-loadable-segments -z max-page-size=4096 -z norelro -z nognustack --hash-style=sysv -soname <TARGET_SONAME> ${HEXAGON_WRAP_WORDS} -o <TARGET> <OBJECTS>")
endif()

# clang's RDF optimizations lose track of vector pairs that live through loops, and later passes drop their copies: wrong results.
string(APPEND CMAKE_CXX_FLAGS_INIT " -mllvm -rdf-opt=0")

# Its pass that aligns vector loads orders them by where its memory lies: names decide how fast loops are. LLVM 16 and later have it.
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -mllvm -hvc-va=0 -fsyntax-only -x c /dev/null RESULT_VARIABLE NO_HVC OUTPUT_QUIET ERROR_QUIET)
if(NOT NO_HVC)
  string(APPEND CMAKE_CXX_FLAGS_INIT " -mllvm -hvc-va=0")
endif()

# What nothing calls is left out of the library, and so is what would be between functions; loops are aligned all the same.
string(APPEND CMAKE_CXX_FLAGS_INIT " -ffunction-sections -fdata-sections -mllvm -align-all-functions=2")

# v68 to v75 have IEEE instructions for floats; clang 20 and later hide them without this.
if(HEXAGON_ARCH MATCHES "^v(68|69|71|73|75)$")
  string(APPEND CMAKE_CXX_FLAGS_INIT " -mhvx-ieee-fp")
endif()

# clang for Hexagon makes other code at other addresses: it runs at fixed ones where that is permitted.
execute_process(COMMAND setarch -R true RESULT_VARIABLE NOT_STEADY OUTPUT_QUIET ERROR_QUIET)
if(NOT_STEADY)
  message(STATUS "setarch -R does not work here: the code may differ from build to build")
else()
  set(CMAKE_CXX_COMPILER_LAUNCHER setarch -R)
endif()

// Code that runs once for a graph, not in every call, is compiled for size.
#ifndef OPKG_SMALL_H_
#define OPKG_SMALL_H_

// OPKG_SMALL before a function; OPKG_SMALL_BEGIN and OPKG_SMALL_END around several.
#if defined(__clang__)
#define OPKG_SMALL __attribute__((minsize))
#define OPKG_SMALL_BEGIN _Pragma("clang attribute push(__attribute__((minsize)), apply_to = function)")
#define OPKG_SMALL_END _Pragma("clang attribute pop")
#else
#define OPKG_SMALL
#define OPKG_SMALL_BEGIN
#define OPKG_SMALL_END
#endif

#endif  // OPKG_SMALL_H_

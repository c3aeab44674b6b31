// Code that runs once for a graph, not in every call, or seldom at all, is compiled for size.
#ifndef OPKG_SMALL_H_
#define OPKG_SMALL_H_

// OPKG_SMALL before a function; OPKG_SMALL_BEGIN and OPKG_SMALL_END around several. OPKG_RARE before one that is called where
// vector code does not do: small, and never a part of its caller.
#if defined(__clang__)
#define OPKG_SMALL __attribute__((minsize))
#define OPKG_RARE __attribute__((minsize, noinline))
#define OPKG_SMALL_BEGIN _Pragma("clang attribute push(__attribute__((minsize)), apply_to = function)")
#define OPKG_SMALL_END _Pragma("clang attribute pop")
#else
#define OPKG_SMALL __attribute__((cold))
#define OPKG_RARE __attribute__((cold, noinline))
#define OPKG_SMALL_BEGIN
#define OPKG_SMALL_END
#endif

#endif  // OPKG_SMALL_H_

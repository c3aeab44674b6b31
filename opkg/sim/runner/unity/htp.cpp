// The driver of opkg-htp: one translation unit, because parsing the standard headers once is most of a build's time.
// SPDX-License-Identifier: Apache-2.0
#include "../htp_backend.cpp"
#include "../guarded.cpp"
#include "../htp_graph.cpp"
#include "../htp_guard.cpp"
#include "../htp_main.cpp"

// What both runners share: one translation unit, because parsing the standard headers once is most of a build's time.
// SPDX-License-Identifier: Apache-2.0
#include "../case_file.cpp"
#include "../options.cpp"
#include "../processes.cpp"
#include "../progress.cpp"
#include "../qnn_config.cpp"
#include "../results.cpp"

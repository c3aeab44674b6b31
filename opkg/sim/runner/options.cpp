// Parses the command line of both runners.
// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace opkg {
namespace {

bool missing(const char* program, const char* option) {
  fprintf(stderr, "%s: %s is missing\n", program, option);
  return false;
}

}  // namespace

bool parseOptions(int argc, char** argv, bool htp, Options* out) {
  struct Text {
    const char* option;
    const char** value;
  };
  const char* timeout = nullptr;
  const char* from = nullptr;
  const Text texts[] = {{"--backend", &out->backend},
                        {"--package", &out->package},
                        {"--provider", &out->provider},
                        {"--interface", &out->interface},
                        {"--target", &out->target},
                        {"--cases", &out->cases},
                        {"--data", &out->data},
                        {"--results", &out->results},
                        {"--out", &out->out},
                        {"--reports", &out->reports},
                        {"--contexts", &out->contexts},
                        {"--soc", &out->soc},
                        {"--timeout", &timeout},
                        {"--from", &from}};
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--trace") == 0) {
      out->trace = true;
      continue;
    }
    const Text* match = nullptr;
    for (const Text& text : texts) {
      if (strcmp(argv[i], text.option) == 0) match = &text;
    }
    if (match == nullptr || i + 1 >= argc) {
      fprintf(stderr, "%s: %s '%s'\n", argv[0], match == nullptr ? "unknown option" : "no value for",
              argv[i]);
      return false;
    }
    *match->value = argv[++i];
  }
  if (timeout != nullptr) out->timeout = atof(timeout);
  if (from != nullptr) out->from = atoi(from);
  const Text required[] = {{"--package", &out->package}, {"--provider", &out->provider},
                           {"--cases", &out->cases},     {"--data", &out->data},
                           {"--results", &out->results}, {"--out", &out->out}};
  if (htp && out->backend == nullptr) return missing(argv[0], "--backend");
  for (const Text& text : required) {
    if (*text.value == nullptr) return missing(argv[0], text.option);
  }
  return true;
}

}  // namespace opkg

// Ends process trees by what /proc says of them.
// SPDX-License-Identifier: Apache-2.0
#include "processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace opkg {
namespace {

pid_t g_runner = 0;  // forked children inherit the handler, not the duty

// A number at `text`, 0 where there is none.
pid_t number(const char* text) {
  pid_t value = 0;
  for (; *text >= '0' && *text <= '9'; ++text) value = value * 10 + (*text - '0');
  return value;
}

// The parent of a process: the second field behind the name, which may hold anything.
pid_t parentOf(const char* process) {
  char path[64] = "/proc/";
  strncat(path, process, 20);
  strncat(path, "/stat", 6);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[512];
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return 0;
  text[size] = '\0';
  const char* const name_end = strrchr(text, ')');
  return name_end != nullptr && strlen(name_end) > 4 ? number(name_end + 4) : 0;
}

// Kills the children of this process; returns how many there were.
int killChildren() {
  const int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return 0;
  const pid_t self = getpid();
  int found = 0;
  alignas(8) char entries[4096];
  long size;
  while ((size = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
    for (long at = 0; at < size;) {
      const dirent64* const entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      const pid_t process = number(entry->d_name);
      if (process <= 0 || parentOf(entry->d_name) != self) continue;
      kill(process, SIGKILL);
      ++found;
    }
  }
  close(folder);
  return found;
}

void onEnd(int) {
  if (getpid() == g_runner) endChildren();
  _exit(128 + SIGTERM);
}

}  // namespace

void endChildren() {
  // What a child leaves behind becomes ours: until there is nobody left.
  while (waitpid(-1, nullptr, WNOHANG) != -1) {
    killChildren();
    usleep(100);
  }
}

void endWithParent() {
  g_runner = getpid();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  struct sigaction action = {};
  action.sa_handler = onEnd;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
}

}  // namespace opkg

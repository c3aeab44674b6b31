# Talks to a device by adb or ssh, or says what it would do. Read by the other scripts.
# shellcheck shell=sh

usage() {
  cat >&2 <<END
usage: $0 [--dry-run] adb | USER@HOST
  adb         the device that adb sees (ANDROID_SERIAL chooses one of several)
  USER@HOST   a device that ssh reaches
  --dry-run   say what would be done, and do nothing
variables: BUNDLE_DIR      folder on the device ($BUNDLE_DIR)
           QNN_LIBRARIES   folder here with QNN's libraries for the device, where the bundle has none
           QNN_NET_RUN     qnn-net-run for the device
           EXECUTORCH      folder here with qnn_executor_runner and libqnn_executorch_backend.so for the device
END
  exit 2
}

endpoint=
read_arguments() {
  for word in "$@"; do
    case $word in
      --dry-run) dry_run=yes ;;
      -*) usage ;;
      *) [ -z "$endpoint" ] || usage; endpoint=$word ;;
    esac
  done
  [ -n "$endpoint" ] || usage
  case $BUNDLE_DIR in
    /*) ;;
    *) echo "$0: BUNDLE_DIR must begin with /" >&2; exit 2 ;;
  esac
  case $BUNDLE_DIR in
    *[!A-Za-z0-9_./-]*) echo "$0: BUNDLE_DIR: letters, digits, and _ . / - only" >&2; exit 2 ;;
  esac
}

# Does a command, or says it.
act() {
  if [ "$dry_run" = yes ]; then
    line=
    for word in "$@"; do
      case $word in
        '' | *[!A-Za-z0-9_./:=@,-]*) line="$line '$(printf '%s' "$word" | sed "s/'/'\\\\''/g")'" ;;
        *) line="$line $word" ;;
      esac
    done
    printf '%s\n' "${line# }"
  else
    "$@"
  fi
}

# ask COMMAND: runs it in the device's shell.
ask() {
  if [ "$endpoint" = adb ]; then act adb shell "$1"; else act ssh "$endpoint" "$1"; fi
}

# send FOLDER-ON-DEVICE FILE...
send() {
  folder=$1
  shift
  if [ "$endpoint" = adb ]; then act adb push "$@" "$folder/"; else act scp -q -r "$@" "$endpoint:$folder/"; fi
}

# fetch PATH-ON-DEVICE FOLDER
fetch() {
  if [ "$endpoint" = adb ]; then act adb pull "$1" "$2"; else act scp -q -r "$endpoint:$1" "$2"; fi
}

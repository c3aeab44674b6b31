#!/bin/sh
# Puts the bundle on a device. usage: ./push.sh [--dry-run] adb | USER@HOST
set -eu
cd "$(dirname "$0")"
# shellcheck source=/dev/null
. ./settings.sh
# shellcheck source=/dev/null
. ./endpoint.sh
dry_run=no
read_arguments "$@"

stub=libQnnHtp${BUNDLE_ARCH}Stub.so
skel=libQnnHtp${BUNDLE_ARCH}Skel.so
runtime="libQnnHtp.so libQnnHtpPrepare.so libQnnSystem.so $stub"
libraries=${QNN_LIBRARIES:-.}
if [ "$BUNDLE_FOR" = onnxruntime ] || [ -f arm/libQnnHtp.so ]; then
  libraries=
else
  for name in $runtime $skel; do
    [ "$dry_run" = yes ] || [ -f "$libraries/$name" ] || {
      echo "$0: QNN_LIBRARIES: $libraries has no $name" >&2
      exit 3
    }
  done
fi

executorch=${EXECUTORCH:-.}
if [ "$BUNDLE_FOR" = executorch ]; then
  for name in qnn_executor_runner libqnn_executorch_backend.so; do
    [ "$dry_run" = yes ] || [ -f "$executorch/$name" ] || {
      echo "$0: EXECUTORCH: $executorch has no $name" >&2
      exit 3
    }
  done
fi

# What is left of an older bundle would be found by name, and run.
ask "rm -rf $BUNDLE_DIR && mkdir -p $BUNDLE_DIR"
send "$BUNDLE_DIR" arm dsp cases
if [ "$BUNDLE_FOR" = onnxruntime ]; then
  send "$BUNDLE_DIR" run_models.py bundle.json
fi
if [ -n "$libraries" ]; then
  for name in $runtime; do
    send "$BUNDLE_DIR/arm" "$libraries/$name"
  done
  send "$BUNDLE_DIR/dsp" "$libraries/$skel"
fi
if [ "$BUNDLE_FOR" = executorch ]; then
  send "$BUNDLE_DIR" "$executorch/qnn_executor_runner"
  send "$BUNDLE_DIR/arm" "$executorch/libqnn_executorch_backend.so"
  ask "chmod 755 $BUNDLE_DIR/qnn_executor_runner"
elif [ -n "${QNN_NET_RUN:-}" ]; then
  send "$BUNDLE_DIR" "$QNN_NET_RUN"
  ask "chmod 755 $BUNDLE_DIR/qnn-net-run"
fi

#!/bin/sh
# Runs all cases on a device, and fetches what they gave into out/. usage: ./run.sh [--dry-run] adb | USER@HOST
set -eu
cd "$(dirname "$0")"
# shellcheck source=/dev/null
. ./settings.sh
# shellcheck source=/dev/null
. ./endpoint.sh
dry_run=no
read_arguments "$@"

folders="$BUNDLE_DIR/dsp;$BUNDLE_DIR/arm;/vendor/lib/rfsa/adsp;/vendor/dsp/cdsp;/dsp/cdsp"
variables="LD_LIBRARY_PATH=$BUNDLE_DIR/arm ADSP_LIBRARY_PATH='$folders' CDSP_LIBRARY_PATH='$folders'"

net_run() {
  printf '%s' "./qnn-net-run --backend $BUNDLE_DIR/arm/libQnnHtp.so --retrieve_context cases/$1/context.bin" \
    " --input_list cases/$1/input_list.txt --op_packages $(bundle_packages)" \
    " --use_native_input_files --use_native_output_files --output_dir out/$1"
}

execute() {
  printf '%s' "mkdir -p out/$1 && $variables ./qnn_executor_runner --model_path cases/$1/model.pte" \
    " --input_list_path cases/$1/input_list.txt --output_folder_path out/$1"
}

failed=0
[ "$dry_run" = yes ] || { rm -rf out && mkdir -p out; }
for folder in cases/*/; do
  name=$(basename "$folder")
  case $BUNDLE_FOR in
    onnxruntime) command="$variables \${PYTHON:-python3} run_models.py $name" ;;
    executorch) command=$(execute "$name") ;;
    *) command="$variables $(net_run "$name")" ;;
  esac
  if ask "cd $BUNDLE_DIR && rm -rf out/$name && $command"; then
    fetch "$BUNDLE_DIR/out/$name" out || failed=$((failed + 1))
  else
    echo "$name: failed (the table at the end of README.md says what numbers mean)" >&2
    failed=$((failed + 1))
  fi
done
[ "$failed" -eq 0 ] || { echo "$failed cases did not run" >&2; exit 1; }

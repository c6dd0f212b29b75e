# Tools that tests of the borders need, installed once for each state of their pins. To be sourced.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
tools=$target/tools

# provide FOLDER PINS COMMAND…: runs the command unless it was run for these pins.
provide() {
    local folder=$1 pins=$2
    shift 2
    if ! cmp -s "$pins" "$folder/pins"; then
        "$@" || return 1
        cp "$pins" "$folder/pins"
    fi
}

# install_python FOLDER PINS: a Python of its own with what the pins name.
install_python() {
    python3 -m venv "$1" && "$1/bin/pip" install --quiet --disable-pip-version-check -r "$2"
}

# program [REM]: the program to test, built if none is named.
program() {
    if [[ $# -eq 0 ]]; then
        (cd "$root" && cargo build --quiet --package rem-cli --bin rem)
    fi
    printf '%s\n' "${1:-$target/debug/rem}"
}

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
#
# Puts the plugin where Wireshark looks for it, or takes it away, and says how to see that it worked.
#   install.sh install PLUGIN TARGET
#   install.sh uninstall PLUGIN TARGET
set -eu

if [ $# -ne 3 ]; then
    echo "usage: install.sh install|uninstall PLUGIN TARGET" >&2
    exit 2
fi
what=$1
plugin=$2
target=$3
series=$(basename "$(dirname "$(dirname "$target")")")

uninstall() {
    if [ ! -e "$target" ]; then
        echo "dissector: $target is not there: nothing to do"
        return
    fi
    rm -f "$target"
    echo "dissector: removed $target"
}

# Wireshark stops with "Duplicate protocol name" when it finds one plugin twice.
warn_of_second() {
    for other in "$HOME/.local/lib/wireshark/plugins/$series/epan/assay.so" \
        "$(pkg-config --variable=plugindir wireshark)/epan/assay.so"; do
        if [ -e "$other" ] && [ "$(realpath "$other")" != "$(realpath "$target")" ]; then
            echo "dissector: warning: there is a second copy, $other; remove one, or Wireshark will not start" >&2
        fi
    done
}

install_plugin() {
    if ! install -D -m 644 "$plugin" "$target"; then
        echo "dissector: cannot write $target; choose another folder with WS_PLUGINDIR=DIR" >&2
        exit 1
    fi
    echo "dissector: installed $target for Wireshark $series"
    warn_of_second
    echo "dissector: check with    tshark -G plugins | grep assay"
    if [ "$(id -u)" = 0 ]; then
        echo "dissector: run tshark and Wireshark as an ordinary user; as root they load plugins of the system folder only"
    fi
    echo "dissector: columns and colours: copy $(pwd)/dissector/profiles/Assay to ~/.config/wireshark/profiles/"
}

case $what in
install) install_plugin ;;
uninstall) uninstall ;;
*)
    echo "usage: install.sh install|uninstall PLUGIN TARGET" >&2
    exit 2
    ;;
esac

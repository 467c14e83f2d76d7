#!/bin/sh
# Is bubblewrap there? If not, install the system's package where that needs no question, else say what to type.
set -u
command -v bwrap >/dev/null 2>&1 && exit 0

if command -v apt-get >/dev/null 2>&1; then install="apt-get install -y bubblewrap"; refresh="apt-get update"
elif command -v dnf >/dev/null 2>&1; then install="dnf install -y bubblewrap"; refresh=true
elif command -v zypper >/dev/null 2>&1; then install="zypper --non-interactive install bubblewrap"; refresh=true
elif command -v pacman >/dev/null 2>&1; then install="pacman -S --noconfirm bubblewrap"; refresh=true
elif command -v apk >/dev/null 2>&1; then install="apk add bubblewrap"; refresh=true
else
    echo "bubblewrap is missing: install it with your system's package manager, then run this again" >&2
    exit 2
fi

if [ "$(id -u)" = 0 ]; then as=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then as="sudo -n"
else
    echo "bubblewrap is missing, type: sudo $install" >&2
    exit 2
fi

echo "installing bubblewrap" >&2
# The package list of a fresh machine is empty: refresh it once, only when the first try fails.
$as $install >/dev/null 2>&1 || { $as $refresh >/dev/null 2>&1; $as $install >/dev/null; } || {
    echo "bubblewrap could not be installed, type: ${as:+$as }$install" >&2
    exit 2
}

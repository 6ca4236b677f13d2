#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tries the package on a system that has nothing but itself, as somebody who downloads it does:
# apt install, a click on the icon, a click on the samples, a double-click on a session, purge.
#
#   make deb && sudo packaging/dev/try-debian.sh [SUITE [MIRROR]]
#
# SUITE is bookworm (the default), trixie, noble, or whatever debootstrap knows or can be told. The
# system is made by debootstrap's minbase in a temporary folder; $BASE names one that is made
# already, of which a copy is used. Pictures go to build/pictures. Everything runs in namespaces of
# its own: its mounts and processes end with it, and nothing of this machine is changed.
set -euo pipefail
cd "$(dirname "$0")/../.."

suite=${1:-bookworm}
mirror=${2:-http://deb.debian.org/debian}
options=()
if [ "$suite" = noble ]; then
  mirror=${2:-http://archive.ubuntu.com/ubuntu}
  options=(--components=main,universe)
  # Where Ubuntu's keys are not installed, there is nothing to check it by.
  [ -f /usr/share/keyrings/ubuntu-archive-keyring.gpg ] || options+=(--no-check-gpg)
fi

fail() {
  printf 'try-debian.sh: %s\n' "$@" >&2
  exit 1
}

if [ -z "${TRYING:-}" ]; then
  [ "$(id -u)" -eq 0 ] || fail "needs root, to make a system of its own"
  found=(dist/tenuto_*.deb)
  [ ${#found[@]} -eq 1 ] && [ -f "${found[0]}" ] || fail "no single dist/tenuto_*.deb: make deb builds it"
  [ -n "${BASE:-}" ] || command -v debootstrap >/dev/null || fail "needs debootstrap (apt-get install debootstrap)"
  top=$(mktemp -d "${TMPDIR:-/tmp}/tenuto-try.XXXXXX")
  trap 'rm -rf --one-file-system "$top"' EXIT
  TRYING=$top unshare --mount --pid --fork --kill-child -- "$0" "$@"
  exit
fi

trap 'exit 130' INT TERM # the first process of a namespace dies of nothing else
top=$TRYING
pictures=$PWD/build/pictures
mkdir -p "$pictures"
step() { printf '\n%s: %s\n' "$suite" "$*"; }
inside() { chroot "$top" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
ada() { # a user without rights, on the screen below
  inside runuser -u ada -- env HOME=/home/ada DISPLAY=:97 XDG_CURRENT_DESKTOP=X-Trial sh -c 'cd && exec "$@"' - "$@"
}
wait_for() { # wait_for WHAT COMMAND...: until the command succeeds
  local what=$1 left=1200
  shift
  until "$@" >/dev/null 2>&1; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || fail "$suite: $what is not there"
    sleep 0.1
  done
}
ours() { inside find / -xdev -iname '*tenuto*' ! -path '/home/*' ! -path '/tenuto.deb' ! -path '/var/cache/apt/*'; }
shot() { ada import -window root /tmp/shot.png && cp "$top/tmp/shot.png" "$pictures/$suite-$1.png"; }
window() { ada xdotool search --onlyvisible --name "$1"; }
end_window() { ada sh -c 'kill $(xdotool getwindowpid $(xdotool search --onlyvisible --name Tenuto | head -1))'; }
no_window() { ! window .; }

step "a bare system"
if [ -n "${BASE:-}" ]; then
  cp -a --one-file-system "$BASE/." "$top"
else
  script=()
  [ "$suite" != noble ] || [ -e /usr/share/debootstrap/scripts/noble ] || script=(gutsy)
  debootstrap --variant=minbase "${options[@]}" "$suite" "$top" "$mirror" "${script[@]}" >"$pictures/$suite-debootstrap.log"
fi
mount -t proc proc "$top/proc"
mount -t tmpfs -o mode=755 dev "$top/dev"
for node in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0; do
  IFS=: read -r name major minor <<<"$node"
  mknod -m 666 "$top/dev/$name" c "$major" "$minor"
done
ln -s /proc/self/fd "$top/dev/fd"
mkdir "$top/dev/shm" "$top/dev/pts"
mount -t tmpfs -o mode=1777 shm "$top/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666 devpts "$top/dev/pts"
ln -s pts/ptmx "$top/dev/ptmx"
cp -L /etc/resolv.conf "$top/etc/resolv.conf"
printf '#!/bin/sh\nexit 101\n' >"$top/usr/sbin/policy-rc.d" # no services: this is no boot
chmod 755 "$top/usr/sbin/policy-rc.d"
cp dist/tenuto_*.deb "$top/tenuto.deb"
inside useradd --create-home --shell /bin/sh ada
inside sh -c '. /etc/os-release; echo "$PRETTY_NAME, $(dpkg-query -W | wc -l) packages, $(uname -m)"'
inside apt-get --quiet --quiet update

step "apt install, without what is only recommended"
inside dpkg-query -W -f '${Package}\n' | sort >"$top/before"
inside apt-get --yes --quiet --no-install-recommends install /tenuto.deb >"$pictures/$suite-apt.log" 2>&1 ||
  { tail -30 "$pictures/$suite-apt.log" >&2; fail "$suite: apt does not install it"; }
inside dpkg-query -W -f '${Package}\n' | sort | comm -13 "$top/before" - >"$top/came"
grep -E 'newly installed|disk space' "$pictures/$suite-apt.log" || true
tr '\n' ' ' <"$top/came"
echo
[ -n "$(inside find /usr/share/fonts -name '*.ttf' -o -name '*.otf')" ] || fail "$suite: no font came with it"
[ -f "$top/etc/ssl/certs/ca-certificates.crt" ] || fail "$suite: no roots of TLS came with it"

step "the command line, and the frozen worker"
ada tenuto --version
ada tenuto demo --no-window --json --dir /home/ada/demo >/dev/null
ada tenuto resume orders-report --state-dir demo/runs </dev/null >"$top/resumed" 2>"$top/said" || fail "$(cat "$top/said")"
tail -3 "$top/resumed"
tail -1 "$top/home/ada/demo/runs/orders-report.json" | grep '\.terminal"' >/dev/null || fail "$suite: the run has no end"
ada tenuto session ls --source reasonix --state-dir demo/reasonix >"$top/said" 2>&1
head -4 "$top/said"
ada tenuto reasonix resume 1 --all --say 'Who reads ORDERS?' --state-dir demo/reasonix </dev/null >"$top/chatted" 2>"$top/said" || fail "$(cat "$top/said")"
tail -3 "$top/chatted"
# Its input stays open until it has answered: a server ends with its input.
ask='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"try","version":"0"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_sessions","arguments":{}}}'
mkfifo "$top/asked"
(ada tenuto mcp --source fisk-ai --state-dir demo/runs <"$top/asked" >"$top/answered") &
exec 3>"$top/asked"
printf '%s\n' "$ask" >&3
wait_for "the answer of tenuto mcp" grep -q '"id": *2' "$top/answered"
exec 3>&-
grep -q orders-report "$top/answered" || fail "$suite: tenuto mcp does not list the run"
wait

step "a screen, and what clicks on it"
inside apt-get --yes --quiet --no-install-recommends install xvfb xdotool imagemagick x11-utils \
  libglib2.0-bin >"$pictures/$suite-desktop.log" 2>&1
ada Xvfb :97 -screen 0 1440x900x24 -nolisten tcp -nolisten local -noreset >/dev/null 2>&1 &
wait_for "the screen" ada xdpyinfo

step "a click on the icon"
entry=/usr/share/applications/tenuto.desktop
ada gio launch "$entry"
wait_for "the window" window '^Tenuto'
# The primary button: the largest connected patch of the accent's colour.
accent=$(sed -nE 's/.*"accent": *\["(#[0-9a-fA-F]{6})".*/\1/p' resources/tenuto_resources/theme/tokens.json | head -1)
[ -n "$accent" ] || fail "no accent colour in tokens.json"
patch() { # AREA X Y of it; fails while there is none of a button's size
  shot first-run
  ada convert /tmp/shot.png -fill black +opaque "$accent" -fill white -opaque "$accent" \
    -define connected-components:verbose=true -define connected-components:area-threshold=400 \
    -connected-components 4 null: | sed -nE 's/^ +[0-9]+: ([0-9]+)x([0-9]+)\+[0-9]+\+[0-9]+ ([0-9.]+),([0-9.]+) ([0-9]+) .*(255,255,255|gray\(255\)|white).*/\5 \3 \4 \1/p' |
    sort -rn | head -1 >"$top/patch"
  [ -s "$top/patch" ] && [ "$(cut -d' ' -f4 <"$top/patch")" -gt 60 ]
}
wait_for "the samples button" patch
read -r _ x y _ <"$top/patch"
ada xdotool mousemove "${x%.*}" "${y%.*}" click 1
made=/home/ada/.local/share/tenuto/demo/runs
wait_for "the samples" ada sh -c "test \$(ls $made/*.preview.json | wc -l) -gt 15"
sleep 2 # for the picture alone
shot samples
echo "$(ada sh -c "ls $made/*.preview.json | wc -l") samples are listed"
end_window
wait_for "the end of the window" no_window

step "what is recommended, too, and a double-click on a session (in Japanese)"
recommended=$(inside dpkg-query -W -f '${Recommends}' tenuto | tr ',' '\n' | sed 's/|.*//')
# shellcheck disable=SC2086 # names of packages
inside apt-get --yes --quiet --no-install-recommends install $recommended >>"$pictures/$suite-apt.log" 2>&1 ||
  fail "$suite: what it recommends is not there"
ada tenuto session export stocktake-ja --to '/home/ada/one of mine.tenuto' --state-dir demo/runs 2>/dev/null
ada gio info -a standard::content-type '/home/ada/one of mine.tenuto' | grep 'application/x-tenuto-session' ||
  fail "$suite: it has no type of its own"
ada gio mime application/x-tenuto-session >"$top/said"
head -1 "$top/said"
ada gio open '/home/ada/one of mine.tenuto'
wait_for "the session" window 'one of mine.tenuto'
sleep 1
shot opened
end_window
wait_for "the end of the window" no_window

step "purge"
ada sh -c 'find . -type f | sort | xargs -d "\n" sha256sum' >"$top/mine"
inside apt-get --yes --quiet purge tenuto >"$pictures/$suite-purge.log" 2>&1
left=$(ours)
[ -z "$left" ] || fail "$suite: it leaves" "$left"
! grep -q tenuto "$top/usr/share/applications/mimeinfo.cache" 2>/dev/null || fail "$suite: it leaves its MIME association"
! grep -q tenuto "$top/usr/share/mime/globs2" 2>/dev/null || fail "$suite: it leaves its MIME type"
ada sh -c 'find . -type f | sort | xargs -d "\n" sha256sum' | cmp - "$top/mine" || fail "$suite: it touched the user's files"
echo "nothing of it is left; all $(wc -l <"$top/mine") files of the user are as they were"

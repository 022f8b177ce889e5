#!/bin/sh
# Installs Chromium for the tests in tests/browser, where that is allowed and asked for: in CI (the variable CI is
# set), on Debian or Ubuntu, as root or with a sudo that asks nothing. Elsewhere it says what is lacking. It never
# fails: without a browser those tests skip and say so.
set -u

lacking() {
  echo "No browser for tests/browser: $1. These tests will skip."
  exit 0
}

if [ -n "${ANIMATO_BROWSER:-}" ]; then
  command -v "$ANIMATO_BROWSER" >/dev/null || lacking "ANIMATO_BROWSER names '$ANIMATO_BROWSER', which is no program here"
  exit 0
fi
for name in chromium chromium-browser google-chrome-stable google-chrome chrome; do
  command -v "$name" >/dev/null && exit 0
done

[ -n "${CI:-}" ] || lacking "no Chromium, and CI is not set, so nothing is installed unasked ('apt install chromium')"
command -v apt-get >/dev/null || lacking "no Chromium, and no apt-get to install it with"
if [ "$(id -u)" = 0 ]; then
  as_root=""
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  as_root="sudo -n"
else
  lacking "no Chromium, and neither root nor a sudo without a password to install it with"
fi

# Without a network apt would try for many minutes; a held lock would wait without end.
limit=""
command -v timeout >/dev/null && limit="timeout --kill-after=10 300"
quick="-o Acquire::Retries=1 -o Acquire::http::Timeout=15 -o Acquire::https::Timeout=15 -o DPkg::Lock::Timeout=60"
install() {
  # shellcheck disable=SC2086 # words on purpose
  $as_root env DEBIAN_FRONTEND=noninteractive $limit apt-get $quick "$@" </dev/null >/dev/null 2>&1
}

echo "Installing Chromium for tests/browser ..."
install update || echo "apt-get update failed; trying with the lists that are there."
# On Ubuntu the package chromium-browser is a snap, which containers cannot run; chromium is then not there at all.
install install --yes --no-install-recommends chromium || lacking "apt-get could not install the package chromium"
command -v chromium >/dev/null || lacking "the package chromium brought no program of that name"

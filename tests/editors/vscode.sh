#!/usr/bin/env bash
# The extension in VS Code itself: code-server (VS Code behind HTTP) and Chromium, by a script of
# what a user does.
# usage: vscode.sh [FOLDER]
# What is installed stays in FOLDER (1 GB), with pictures of the window. Each step is printed.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "${1:-build-vscode}"
folder=$(cd "${1:-build-vscode}" && pwd) server=$folder/node_modules/code-server
"$root/.ci/install" npm chromium ripgrep libkrb5-dev libx11-dev libxkbfile-dev python3 g++
export npm_config_nodedir=/usr npm_config_loglevel=error HOME=$folder/home
cd "$folder"
if ! [ -e installed ]; then
    # Its own scripts, which fetch prebuilt programs, do not run: what is needed of these is built
    # here or a package.
    npm install --ignore-scripts code-server@4.100.3 playwright-core@1.48.2
    npm rebuild argon2
    (cd "$server/lib/vscode" && npm install --omit=dev --ignore-scripts &&
        npm rebuild node-pty @vscode/spdlog && mkdir -p node_modules/@vscode/ripgrep/bin &&
        ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg)
    touch installed
fi
rm -rf extension work home
mkdir -p work home/.local/share/code-server/User
cp -r "$root/editors/vscode" extension
cp "$root/LICENSE" extension/
(cd extension && npm install && npm run package -- -o ../takt.vsix) >pack.log
cp "$root/examples/mncore2/fma.vsm" work/
cat >home/.local/share/code-server/User/settings.json <<END
{"takt.command": "$root/build/takt", "security.workspace.trust.enabled": false,
 "workbench.startupEditor": "none", "telemetry.telemetryLevel": "off"}
END
node "$server/out/node/entry.js" --install-extension takt.vsix
node "$server/out/node/entry.js" --auth none --bind-addr 127.0.0.1:8099 --disable-telemetry \
    --disable-update-check work >server.log 2>&1 &
trap 'kill $!' EXIT
NODE_PATH=$folder/node_modules node "$root/tests/editors/vscode.js" "$folder"

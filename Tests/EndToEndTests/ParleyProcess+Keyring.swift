// SPDX-License-Identifier: MIT

import Foundation
import TestKit

extension ParleyProcess {
    /// Runs a script on a session bus with an open keyring of its own; `$0` is the program.
    func withKeyring(_ script: String, _ environment: [String: String] = [:]) async throws
        -> ParleyProcess.Result
    {
        let start = """
            set -eu
            mkfifo password
            gnome-keyring-daemon --foreground --unlock --components=secrets <password >/dev/null 2>&1 &
            keyring=$!
            printf unlock-me >password
            until dbus-send --session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus \\
                org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets | grep -q true
            do sleep 0.05; done

            """
        try FileManager.default.createDirectory(atPath: path("keyring"), withIntermediateDirectories: true)
        let run = try ParleyProcess.start(
            [
                "/bin/sh", "-c", "cd \"$HOME\" && exec dbus-run-session -- /bin/sh -c \"$1\" \"$0\"",
                ParleyProcess.executable, start + script + "\nkill \"$keyring\"",
            ],
            environment: [
                "PARLEY_HOME": path("home"), "HOME": path("keyring"), "PATH": "/usr/bin:/bin",
                "XDG_RUNTIME_DIR": folder, "XDG_DATA_HOME": path("keyring"), "LANG": "C.UTF-8",
                "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
            ].merging(environment) { $1 })
        return await run.finished()
    }
}

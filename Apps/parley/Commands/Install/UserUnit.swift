// SPDX-License-Identifier: MIT

/// A systemd user unit (systemd.service(5)) as text.
struct UserUnit: Sendable {
    /// The file's name, "parley-listen.service".
    static let listenName = "parley-listen.service"
    /// The file's name, "parley-sync.service".
    static let syncName = "parley-sync.service"

    /// The unit that runs `program` with `arguments` for as long as its user has a session.
    ///
    /// It starts again after a crash, at most every 5 s, and can never gain rights. (A sandbox of the file system would
    /// need user namespaces, which not every system gives to its users.)
    ///
    /// - Parameter home: Where all state is, if not at its usual places.
    static func listen(program: String, arguments: [String], home: String?) -> String {
        """
        \(InstalledFile.header)
        [Unit]
        Description=Parley voice assistant
        After=pipewire.service pipewire-pulse.service pulseaudio.service

        [Service]
        Restart=on-failure
        RestartSec=5
        \(body(environment(home) + [program] + arguments))
        """
    }

    /// The unit that sends recordings and results with `program` for as long as its user has a session.
    ///
    /// It waits by itself until somebody signs in; what it ends by, a keyring that cannot be opened, say, may pass.
    ///
    /// - Parameter home: Where all state is, if not at its usual places.
    static func sync(program: String, home: String?) -> String {
        """
        \(InstalledFile.header)
        [Unit]
        Description=Parley: sends recordings and results
        StartLimitIntervalSec=0

        [Service]
        Restart=on-failure
        RestartSec=60
        \(body(environment(home) + [program, "service"]))
        """
    }

    /// The words that give a program its home.
    private static func environment(_ home: String?) -> [String] {
        home.map { ["/usr/bin/env", "PARLEY_HOME=\($0)"] } ?? []
    }

    private static func body(_ words: [String]) -> String {
        """
        Type=exec
        ExecStart=\(words.map(quoted).joined(separator: " "))
        NoNewPrivileges=yes
        RestrictSUIDSGID=yes
        LockPersonality=yes
        SystemCallArchitectures=native

        [Install]
        WantedBy=default.target

        """
    }

    /// A word of a command line or a path as systemd reads it back: quoted, `%` and `$` doubled.
    static func quoted(_ word: String) -> String {
        var text = ""
        for scalar in word.unicodeScalars {
            switch scalar {
            case "\\", "\"": text += "\\\(scalar)"
            case "%": text += "%%"
            case "$": text += "$$"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "\"\(text)\""
    }
}

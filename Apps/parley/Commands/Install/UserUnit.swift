// SPDX-License-Identifier: MIT

/// A systemd user unit (systemd.service(5)) as text.
struct UserUnit: Sendable {
    /// The file's name.
    static let listenName = "parley-listen.service"
    /// The file's name.
    static let syncName = "parley-sync.service"

    /// The unit that runs `program` with `arguments` for as long as its user has a session.
    ///
    /// It starts again after a crash, at most every 5 s, and can never gain rights. (A sandbox of the file system would
    /// need user namespaces, which not every system gives to its users.)
    ///
    /// - Parameter home: The folder of all state; nil for the usual paths.
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

    /// The unit that runs `program service` for as long as its user has a session.
    ///
    /// The program waits by itself for a sign-in. A failure, such as a locked keyring, may be temporary, so it starts
    /// again.
    ///
    /// - Parameter home: The folder of all state; nil for the usual paths.
    static func sync(program: String, home: String?) -> String {
        """
        \(InstalledFile.header)
        [Unit]
        Description=Parley: keeps devices in step, sends recordings and results
        StartLimitIntervalSec=0

        [Service]
        Restart=on-failure
        RestartSec=60
        \(body(environment(home) + [program, "service"]))
        """
    }

    /// The words that set a program's home.
    private static func environment(_ home: String?) -> [String] {
        home.map { ["/usr/bin/env", "PARLEY_HOME=\($0)"] } ?? []
    }

    /// The program ends with 130 when systemd stops it, which is no failure.
    private static func body(_ words: [String]) -> String {
        """
        Type=exec
        SuccessExitStatus=\(ExitCode.interrupted.rawValue)
        ExecStart=\(words.map(quoted).joined(separator: " "))
        NoNewPrivileges=yes
        RestrictSUIDSGID=yes
        LockPersonality=yes
        SystemCallArchitectures=native

        [Install]
        WantedBy=default.target

        """
    }

    /// A word of a command line or a path for systemd: quoted, `%` and `$` doubled.
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

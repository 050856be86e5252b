// SPDX-License-Identifier: MIT

/// A systemd user unit (systemd.service(5)) as text.
struct UserUnit: Sendable {
    /// The file's name, "parley-listen.service".
    static let listenName = "parley-listen.service"

    /// The unit that runs `program` with `arguments` for as long as its user has a session.
    ///
    /// It starts again after a crash, at most every 5 s, and can never gain rights. (A sandbox of the file system would
    /// need user namespaces, which not every system gives to its users.)
    static func listen(program: String, arguments: [String]) -> String {
        """
        \(InstalledFile.header)
        [Unit]
        Description=Parley voice assistant
        After=pipewire.service pipewire-pulse.service pulseaudio.service

        [Service]
        Type=exec
        ExecStart=\(([program] + arguments).map(quoted).joined(separator: " "))
        Restart=on-failure
        RestartSec=5
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

// SPDX-License-Identifier: MIT

/// The `.desktop` file (Desktop Entry Specification 1.5) that makes the desktop start `parley verify` for `parley://` links.
struct LinkHandler: Sendable {
    /// The file's name without its ending.
    static let entry = "parley-sign-in"
    /// The file's name.
    static let fileName = entry + ".desktop"
    /// What kind of address it is for.
    static let scheme = "x-scheme-handler/parley"

    /// The file's content.
    ///
    /// - Parameter words: The program, and what it is given before the link.
    static func text(_ words: [String]) -> String {
        """
        \(InstalledFile.header)
        [Desktop Entry]
        Type=Application
        Name=Parley
        Comment=Finishes a sign-in
        Exec=\(escaped(words.map(quoted).joined(separator: " "))) %u
        Terminal=false
        NoDisplay=true
        StartupNotify=false
        MimeType=\(scheme);

        """
    }

    /// Lets the desktop know that the file is there.
    ///
    /// - Returns: Whether the desktop opens the links with it now; false where xdg-utils is not installed.
    static func register(in folder: String) -> Bool {
        _ = SystemTool.run(["update-desktop-database", folder])
        return SystemTool.run(["xdg-mime", "default", fileName, scheme]) == true
    }

    /// Lets the desktop know that the file has gone.
    static func unregister(in folder: String) {
        _ = SystemTool.run(["update-desktop-database", folder])
    }

    /// A word as `Exec` takes it: in quotes, where some characters need a backslash; `%` is doubled.
    static func quoted(_ word: String) -> String {
        var text = ""
        for scalar in word.unicodeScalars {
            switch scalar {
            case "\"", "`", "$", "\\": text += "\\\(scalar)"
            case "%": text += "%%"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "\"\(text)\""
    }

    /// A value as the file takes it, which is read before the quotes are.
    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\t", with: "\\t")
            .replacing("\r", with: "\\r")
    }
}

// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// The `.desktop` file (Desktop Entry Specification 1.5) that makes the desktop start `parley verify` for `parley://`
/// links.
struct LinkHandler: Sendable {
    /// The file's name without its ending.
    static let entry = "parley-sign-in"
    /// The file's name.
    static let fileName = entry + ".desktop"
    /// The scheme of the addresses that it opens.
    static let scheme = "x-scheme-handler/parley"

    /// The file's content.
    ///
    /// - Parameter words: The program and its arguments before the link.
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

    /// Registers the file with the desktop.
    ///
    /// - Returns: True if the desktop opens the links with it now; false if xdg-utils is not installed.
    static func register(in folder: String) -> Bool {
        _ = SystemTool.run(["update-desktop-database", folder])
        return SystemTool.run(["xdg-mime", "default", fileName, scheme]) == true
    }

    /// Removes the file from the desktop's registry.
    static func unregister(in folder: String) {
        _ = SystemTool.run(["update-desktop-database", folder])
    }

    /// A word for `Exec`: in quotes, where some characters need a backslash; `%` is doubled.
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

    /// A value of the file, whose escapes are read before the quotes.
    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\t", with: "\\t")
            .replacing("\r", with: "\\r")
    }
}

/// The person's `mimeapps.list` (MIME Applications Specification 1.0.1): groups of lines
/// `TYPE=FILE.desktop;FILE.desktop;`.
enum MIMEAssociations {
    /// Removes a program from the file; a missing file is no error.
    static func remove(_ program: String, for type: String, from path: String) throws {
        guard let content = try? SmallFile.contents(of: path) else { return }
        let text = String(decoding: content, as: UTF8.self)
        let changed = removing(program, for: type, from: text)
        if changed != text { try OutputFile.write(changed, to: path) }
    }

    /// The text without a program: a line that names no other program is removed, and everything else stays.
    static func removing(_ program: String, for type: String, from text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line -> Substring? in
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, String(parts[0]).trimmingWhitespace == type else { return line }
            let programs = parts[1].split(separator: ";").map { String($0).trimmingWhitespace }
            guard programs.contains(program) else { return line }
            let others = programs.filter { $0 != program && !$0.isEmpty }
            return others.isEmpty ? nil : "\(parts[0])=\(others.map { $0 + ";" }.joined())"[...]
        }
        return lines.joined(separator: "\n")
    }
}

// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// The person's `mimeapps.list` (MIME Applications Specification 1.0.1): groups of lines `TYPE=FILE.desktop;FILE.desktop;`.
enum MIMEAssociations {
    /// Takes a program out of the file; it is no error if there is no file.
    static func remove(_ program: String, for type: String, from path: String) throws {
        guard let content = FileManager.default.contents(atPath: path) else { return }
        let text = String(decoding: content, as: UTF8.self)
        let changed = removing(program, for: type, from: text)
        if changed != text { try OutputFile.write(changed, to: path) }
    }

    /// The text without a program: a line that names no other one goes, and everything else stays as it is.
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

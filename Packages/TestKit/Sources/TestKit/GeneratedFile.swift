// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A file of the repository that follows from code. Tests compare it with what the code makes now, or write it if
/// `PARLEY_WRITE_DOCUMENTS` is set.
public enum GeneratedFile {
    /// True if the file is what it should be.
    ///
    /// - Parameters:
    ///   - path: The path from the repository's root.
    ///   - text: The content that the code makes.
    /// - Throws: An error of Foundation if the file cannot be read or written.
    public static func isCurrent(_ path: String, _ text: String) throws -> Bool {
        let file = URL(filePath: root + "/" + path)
        if ProcessInfo.processInfo.environment["PARLEY_WRITE_DOCUMENTS"] != nil {
            try Data(text.utf8).write(to: file, options: .atomic)
        }
        return try String(contentsOf: file, encoding: .utf8) == text
    }

    /// The repository's root.
    static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5)
        .joined(separator: "/")
}

// SPDX-License-Identifier: MIT

import Testing

/// Something that must not stand in certain files, why, and a sample of it.
struct CodeRule: Sendable, CustomTestStringConvertible {
    let name: String
    let reason: String
    /// The files that the rule is about.
    let covers: @Sendable (RepositoryFile) -> Bool
    /// The lines, counted from 1, that break the rule.
    let brokenLines: @Sendable (RepositoryFile) -> [Int]
    /// A file that breaks the rule in exactly one line; the proof that the rule can fail.
    let violation: RepositoryFile
    /// A file that comes close and is allowed.
    let innocent: RepositoryFile

    var testDescription: String { name }

    func violations(in file: RepositoryFile) -> [Violation] {
        guard covers(file) else { return [] }
        return brokenLines(file).map { Violation(path: file.path, line: $0, finding: name, reason: reason) }
    }

    /// Lines of code, without comments and strings, that `matches`. The keyword is a cheap first look.
    static func code(
        with keyword: String, _ matches: @escaping @Sendable (String) -> Bool
    ) -> @Sendable (RepositoryFile) -> [Int] {
        { file in
            guard file.text.contains(keyword) else { return [] }
            return file.codeLines.enumerated().compactMap { index, line in
                line.contains(keyword) && matches(line) ? index + 1 : nil
            }
        }
    }

    /// Lines of the whole text that `matches`.
    static func text(
        _ matches: @escaping @Sendable (Substring) -> Bool
    ) -> @Sendable (RepositoryFile) -> [Int] {
        { file in file.lines.enumerated().compactMap { matches($1) ? $0 + 1 : nil } }
    }
}

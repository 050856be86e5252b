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

    /// Lines of code, without comments and strings, that have one of the keywords and that `matches`. An expression is
    /// read anew for each line that it is tried on, so the keywords decide how long a rule takes.
    static func code(
        with keywords: String..., matches: @escaping @Sendable (String) -> Bool
    ) -> @Sendable (RepositoryFile) -> [Int] {
        { file in numbers(of: file.codeLines, in: file, with: keywords, matches) }
    }

    /// Lines of the whole text that have one of the keywords and that `matches`.
    static func text(
        with keywords: String..., matches: @escaping @Sendable (Substring) -> Bool
    ) -> @Sendable (RepositoryFile) -> [Int] {
        { file in numbers(of: file.lines, in: file, with: keywords, matches) }
    }

    private static func numbers<Line: StringProtocol>(
        of lines: [Line], in file: RepositoryFile, with keywords: [String], _ matches: (Line) -> Bool
    ) -> [Int] {
        let keywords = keywords.filter(file.text.has)
        guard !keywords.isEmpty else { return [] }
        return lines.enumerated().compactMap { index, line in
            keywords.contains(where: line.has) && matches(line) ? index + 1 : nil
        }
    }
}

// SPDX-License-Identifier: MIT

import Testing

/// One place that breaks a rule, with the reason for the rule.
struct Violation: Sendable, Equatable, CustomStringConvertible {
    let path: String
    /// Counted from 1; 0 where the whole file or its absence is meant.
    var line = 0
    let finding: String
    let reason: String

    var description: String {
        "\(path)\(line > 0 ? ":\(line)" : ""): \(finding)\n    because: \(reason)"
    }
}

extension [Violation] {
    /// Fails the test with every violation and its reason, once, unless there is none.
    func expectNone(sourceLocation: SourceLocation = #_sourceLocation) {
        if !isEmpty { Issue.record(report, sourceLocation: sourceLocation) }
    }

    /// What a failing test prints.
    var report: Comment {
        Comment(rawValue: "\(count) violation(s)\n" + map(\.description).joined(separator: "\n"))
    }
}

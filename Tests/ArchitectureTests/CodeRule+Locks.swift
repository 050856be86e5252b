// SPDX-License-Identifier: MIT

extension CodeRule {
    /// A deadlock that needs two threads and shows once in a thousand runs, so no test finds it: one thread holds the lock
    /// and resumes a task, which waits for the task's status; another cancels that task, which holds the status and runs the
    /// handler, which waits for the lock.
    static let resumedUnderLock = CodeRule(
        name: "a continuation is resumed under a lock",
        reason:
            "a handler of cancellation that takes the lock waits for ever: return the continuation from withLock, and "
            + "resume it there",
        covers: { $0.isSwift },
        brokenLines: { file in
            guard file.text.contains(".resume("), file.text.contains("withLock") else { return [] }
            var blocks: [Bool] = []
            return file.codeLines.enumerated().compactMap { index, line in
                var isBroken = false
                var before = Substring(line)
                while let mark = before.firstMatch(of: /[{}]|\.resume\(/) {
                    switch mark.output {
                    case "{": blocks.append(blocks.last == true || isLocked(before[..<mark.range.lowerBound]))
                    case "}": _ = blocks.popLast()
                    // What follows a block on its line belongs to what the block returned.
                    default: if blocks.last == true { isBroken = true }
                    }
                    before = before[mark.range.upperBound...]
                }
                return isBroken ? index + 1 : nil
            }
        },
        violation: RepositoryFile(
            path: "Packages/Speech/Sources/Speech/Sample.swift",
            text:
                "func end() {\n    state.withLock { state in\n        if state.isOver { state.waiter?.resume() }\n    }\n}\n"
        ),
        innocent: RepositoryFile(
            path: "Packages/Speech/Sources/Speech/Sample.swift",
            text:
                "func end() {\n    state.withLock { $0.take() }?.resume()\n    if let waiter { waiter.resume(returning: 1) }\n}\n"
        ))

    /// True for the head of a block that runs with the lock: a closure of withLock, or a function that gets the state inout.
    private static func isLocked(_ head: Substring) -> Bool {
        head.contains(/withLock\s*(\([^()]*\))?\s*$/) || head.contains(/func .*: inout State\b/)
    }
}

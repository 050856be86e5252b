// SPDX-License-Identifier: MIT

extension CodeRule {
    /// A deadlock that needs two threads and shows once in a thousand runs, so no test finds it: one thread holds the lock
    /// and resumes a task, which waits for the task's status; another cancels that task, which holds the status and runs the
    /// handler, which waits for the lock. A stream resumes its reader, and its onTermination is such a handler.
    static let resumedUnderLock = CodeRule(
        name: "a task is resumed under a lock",
        reason:
            "a handler of cancellation that takes the lock waits for ever: return the continuation from withLock, and "
            + "resume it there; yield under another lock than the one that onTermination takes",
        covers: { $0.isSwift },
        brokenLines: { file in
            guard file.text.contains(".resume(") || file.text.contains("onTermination") else { return [] }
            let takenByHandlers = locksOfHandlers(file.codeLines)
            /// The lock that each open block runs with; empty for none.
            var blocks: [Substring] = []
            return file.codeLines.enumerated().compactMap { index, line in
                var isBroken = false
                var rest = Substring(line)
                while let mark = rest.firstMatch(of: /[{}]|\.(resume|yield|finish)\(/) {
                    let held = blocks.last ?? ""
                    switch mark.output.0 {
                    case "{": blocks.append(held.isEmpty ? lock(of: rest[..<mark.range.lowerBound]) : held)
                    case "}": _ = blocks.popLast()
                    case ".resume(": isBroken = isBroken || !held.isEmpty
                    default: isBroken = isBroken || takenByHandlers.contains(held)
                    }
                    rest = rest[mark.range.upperBound...]
                }
                return isBroken ? index + 1 : nil
            }
        },
        violation: sample(
            "func end() {\n    state.withLock { state in\n        if state.isOver { state.waiter?.resume() }\n    }\n}\n"
        ),
        innocent: sample(
            """
            func end() {
                state.withLock { $0.take() }?.resume()
                order.withLock { _ in entry.yield(1) }
                entry.onTermination = { _ in state.withLock { $0 = nil } }
            }
            """))

    private static func sample(_ text: String) -> RepositoryFile {
        RepositoryFile(path: "Packages/Speech/Sources/Speech/Sample.swift", text: text)
    }

    /// The lock that a block with this head runs with: a closure of withLock, or a function that gets the state inout.
    private static func lock(of head: Substring) -> Substring {
        if let match = head.firstMatch(of: /(\w+)\.withLock\s*(\([^()]*\))?\s*$/) { return match.output.1 }
        return head.contains(/func .*: inout State\b/) ? "state" : ""
    }

    /// The locks that are taken within two lines of an onTermination.
    private static func locksOfHandlers(_ lines: [String]) -> Set<Substring> {
        var locks: Set<Substring> = []
        for (index, line) in lines.enumerated() where line.contains("onTermination =") {
            for near in lines[index..<min(index + 3, lines.count)] {
                locks.formUnion(near.matches(of: /(\w+)\.withLock/).map(\.output.1))
            }
        }
        return locks
    }
}

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
            guard file.text.has(".resume(") || file.text.has("onTermination") else { return [] }
            let takenByHandlers = locksOfHandlers(file.codeLines)
            /// The lock that each open block runs with; empty for none.
            var blocks: [Substring] = []
            return file.codeLines.enumerated().compactMap { index, line in
                var isBroken = false
                var head = line.startIndex
                for place in line.utf8.indices where "{}.".utf8.contains(line.utf8[place]) {
                    let held = blocks.last ?? ""
                    let rest = line[place...]
                    if rest.hasPrefix("{") {
                        blocks.append(held.isEmpty ? lock(of: line[head..<place]) : held)
                    } else if rest.hasPrefix("}") {
                        _ = blocks.popLast()
                    } else if rest.hasPrefix(".resume(") {
                        isBroken = isBroken || !held.isEmpty
                    } else if rest.hasPrefix(".yield(") || rest.hasPrefix(".finish(") {
                        isBroken = isBroken || takenByHandlers.contains(held)
                    } else {
                        continue
                    }
                    head = line.utf8.index(after: place)
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
        guard head.has("withLock") || head.has("func ") else { return "" }
        if let match = head.firstMatch(of: /(\w+)\.withLock\s*(\([^()]*\))?\s*$/) { return match.output.1 }
        return head.contains(/func .*: inout State\b/) ? "state" : ""
    }

    /// The locks that are taken within two lines of an onTermination.
    private static func locksOfHandlers(_ lines: [String]) -> Set<Substring> {
        var locks: Set<Substring> = []
        for (index, line) in lines.enumerated() where line.has("onTermination =") {
            for near in lines[index..<min(index + 3, lines.count)] {
                locks.formUnion(near.matches(of: /(\w+)\.withLock/).map(\.output.1))
            }
        }
        return locks
    }
}

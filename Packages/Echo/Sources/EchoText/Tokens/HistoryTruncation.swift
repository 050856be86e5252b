// SPDX-License-Identifier: MIT

/// Shortens a history to its newest part.
package enum HistoryTruncation {
    /// The indices of the newest items that cost no more than `room`, system messages first and always.
    ///
    /// A history is cut before a user's message, so that every answer has its question. If the last turn alone is too
    /// long, it is cut after its question. It is never cut between a call of a tool and its result. The newest group of
    /// items stays even if it is too long by itself: the server then refuses it.
    package static func newestIndices(_ items: [ResponseItem], costs: [Int], within room: Int) -> [Int] {
        let fixed = items.indices.filter { items[$0].isSystem }
        let groups = groups(of: items)
        let prices = groups.map { $0.reduce(0) { $0 + costs[$1] } }
        func beginsWithUser(_ group: [Int]) -> Bool { group.first.map { items[$0].isUser } ?? false }
        var left = room - fixed.reduce(0) { $0 + costs[$1] }
        // The question that is being answered stays, however many items the answer has.
        let question = groups.lastIndex(where: beginsWithUser)
        if let question { left -= prices[question] }
        var start = groups.endIndex
        while start > 0 {
            let price = start - 1 == question ? 0 : prices[start - 1]
            guard price <= left || start == groups.endIndex else { break }
            left -= price
            start -= 1
        }
        if let question, start > question { return fixed + groups[question] + groups[start...].flatMap(\.self) }
        let first = groups[start...].firstIndex(where: beginsWithUser)
        return fixed + groups[(first ?? start)...].flatMap(\.self)
    }

    /// Items that only make sense together: calls, their results and the items between, and reasoning with the next
    /// item.
    private static func groups(of items: [ResponseItem]) -> [[Int]] {
        var groups: [[Int]] = []
        var open: Set<String> = []
        var isContinued = false
        for (index, item) in items.enumerated() where !item.isSystem {
            if isContinued || !open.isEmpty, !groups.isEmpty {
                groups[groups.count - 1].append(index)
            } else {
                groups.append([index])
            }
            switch item {
            case .functionCall(let call): open.insert(call.callID)
            case .functionCallOutput(let output): open.remove(output.callID)
            default: break
            }
            if case .reasoning = item { isContinued = true } else { isContinued = false }
        }
        return groups
    }
}

extension ResponseItem {
    fileprivate var isSystem: Bool {
        if case .message(let item) = self { item.role == .system || item.role == .developer } else { false }
    }

    fileprivate var isUser: Bool {
        if case .message(let item) = self { item.role == .user } else { false }
    }
}

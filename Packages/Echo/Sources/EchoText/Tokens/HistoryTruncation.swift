// SPDX-License-Identifier: MIT

/// Shortens a history to its newest part.
enum HistoryTruncation {
    /// The newest items that cost no more than `room`, system messages first and always.
    ///
    /// A history is cut before a user's message, so that every answer has its question. If the last turn alone is too
    /// long, it is cut after its question. It is never cut between a call of a tool and its result. The newest group of
    /// items stays even if it is too long by itself: the server then refuses it.
    static func newest(_ items: [ResponseItem], costs: [Int], within room: Int) -> [ResponseItem] {
        let priced = Array(zip(items, costs))
        let fixed = priced.filter(\.0.isSystem)
        let pricedGroups = groups(of: priced.filter { !$0.0.isSystem })
        let prices = pricedGroups.map { $0.reduce(0) { $0 + $1.1 } }
        let groups = pricedGroups.map { $0.map(\.0) }
        var left = room - fixed.reduce(0) { $0 + $1.1 }
        // The question that is being answered stays, however many items the answer has.
        let question = groups.lastIndex { $0.first?.isUser == true }
        if let question { left -= prices[question] }
        var start = groups.endIndex
        while start > 0 {
            let price = start - 1 == question ? 0 : prices[start - 1]
            guard price <= left || start == groups.endIndex else { break }
            left -= price
            start -= 1
        }
        if let question, start > question {
            return fixed.map(\.0) + groups[question] + groups[start...].flatMap(\.self)
        }
        let first = groups[start...].firstIndex { $0.first?.isUser == true }
        return fixed.map(\.0) + groups[(first ?? start)...].flatMap(\.self)
    }

    /// Items that only make sense together: calls, their results and the items between, and reasoning with the next
    /// item.
    private static func groups(of items: [(ResponseItem, Int)]) -> [[(ResponseItem, Int)]] {
        var groups: [[(ResponseItem, Int)]] = []
        var open: Set<String> = []
        var isContinued = false
        for item in items {
            if isContinued || !open.isEmpty, !groups.isEmpty {
                groups[groups.count - 1].append(item)
            } else {
                groups.append([item])
            }
            switch item.0 {
            case .functionCall(let call): open.insert(call.callID)
            case .functionCallOutput(let output): open.remove(output.callID)
            default: break
            }
            if case .reasoning = item.0 { isContinued = true } else { isContinued = false }
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

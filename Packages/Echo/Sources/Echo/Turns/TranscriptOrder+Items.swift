// SPDX-License-Identifier: MIT

/// Positions of items.
extension TranscriptOrder {
    mutating func announce(
        _ id: String, _ item: Item, _ place: MessagePlace, _ now: Duration, _ operations: inout [Transcript.Change]
    ) {
        guard items[id] == nil, !placed.contains(id) else { return }
        var item = item
        counter += 1
        item.number = counter
        items[id] = item
        if case .after(let previous) = place, !placed.contains(previous), previous != id {
            items[id]?.deadline = now + limits.predecessor
            followers[previous, default: []].append(id)
        } else {
            self.place(id, place, now, &operations)
        }
    }

    /// Puts an item at its position, and then the items that follow it.
    mutating func place(_ id: String, _ place: MessagePlace, _ now: Duration, _ operations: inout [Transcript.Change]) {
        var line: ArraySlice<(String, MessagePlace)> = [(id, place)]
        while let (id, place) = line.popFirst() {
            guard let item = items[id], placed.insert(id).inserted else { continue }
            if let role = item.role {
                let isUser = role == .user
                items[id]?.deadline = now + (isUser ? limits.transcript : limits.answer)
                let status: TranscriptStatus =
                    item.isWhole ? .notApplicable : isUser && item.parts.isEmpty ? .notStarted : .inProgress
                operations.append(.insert(id: id, role: role, text: item.text, status: status, at: place))
                if item.isWhole { items[id] = nil }
            } else {
                operations.append(.keepPlace(id: id, at: place))
                if let content = item.content { operations.append(.set(id: id, content)) }
                items[id] = nil
            }
            if items[id] != nil { settle(id, now, &operations) }
            if let found = early.removeValue(forKey: id) { take(found.news, id, now, &operations) }
            for follower in followers.removeValue(forKey: id) ?? [] { line.append((follower, .after(id))) }
        }
    }

    /// Ends an item whose text or failure arrived before its position was known.
    private mutating func settle(_ id: String, _ now: Duration, _ operations: inout [Transcript.Change]) {
        guard let item = items[id] else { return }
        if item.role == .user, item.transcribed.count >= item.speech {
            complete(id, item.text, &operations)
        } else if let failure = item.failure {
            expire(id, item, reason: failure, &operations)
        }
    }

    private mutating func take(
        _ news: Early.News, _ id: String, _ now: Duration, _ operations: inout [Transcript.Change]
    ) {
        switch news {
        case .transcripts(let parts):
            for (index, text) in parts.sorted(by: { $0.key < $1.key }) {
                completed(RealtimeTranscript(itemID: id, contentIndex: index, text: text), now, &operations)
            }
        case .failure(let reason): failed(id, reason, now, &operations)
        case .answer(let text, let isInterrupted):
            if isInterrupted { items[id]?.isInterrupted = true }
            complete(id, text, &operations)
        }
    }

    mutating func deleted(_ id: String, _ now: Duration, _ operations: inout [Transcript.Change]) {
        early[id] = nil
        unfilled[id] = nil
        if placed.contains(id) {
            items[id] = nil
            operations.append(.remove(id: id))
        } else {
            // Others may follow it, so it stays in the order.
            items[id]?.role = nil
        }
    }

    mutating func expire(_ id: String, _ item: Item, reason: String? = nil, _ operations: inout [Transcript.Change]) {
        items[id] = nil
        guard item.role == .user else {
            unfilled[id] = Filling(parts: [:], count: 1)
            operations.append(.fail(id: id, reason: "The answer did not end within \(limits.answer) of its last word."))
            return
        }
        let whole = item.parts.filter { item.transcribed.contains($0.key) }
        unfilled[id] = Filling(parts: whole, count: item.speech)
        operations.append(
            .fail(id: id, reason: reason ?? "No transcript came within \(limits.transcript) of the speech."))
    }

    mutating func complete(_ id: String, _ text: String, _ operations: inout [Transcript.Change]) {
        guard placed.contains(id), let item = items.removeValue(forKey: id), item.role != nil else { return }
        operations.append(.complete(id: id, text: text, isInterrupted: item.isInterrupted))
    }
}

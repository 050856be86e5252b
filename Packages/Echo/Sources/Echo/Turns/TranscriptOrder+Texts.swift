// SPDX-License-Identifier: MIT

/// Texts of messages.
extension TranscriptOrder {
    mutating func append(
        _ delta: String, _ id: String, _ index: Int, _ now: Duration, _ operations: inout [Transcript.Change]
    ) {
        guard let item = items[id], let role = item.role, !item.isWhole, !item.transcribed.contains(index) else {
            return
        }
        items[id]?.parts[index, default: ""] += delta
        guard placed.contains(id) else { return }
        items[id]?.deadline = now + (role == .user ? limits.transcript : limits.answer)
        operations.append(.append(id: id, delta: delta))
    }

    mutating func completed(_ transcript: RealtimeTranscript, _ now: Duration, _ operations: inout [Transcript.Change])
    {
        let (id, index) = (transcript.itemID, transcript.contentIndex)
        if let item = items[id] {
            guard item.role == .user else { return }
            items[id]?.parts[index] = transcript.text
            items[id]?.transcribed.insert(index)
            items[id]?.failure = nil
            if placed.contains(id), item.transcribed.union([index]).count >= item.speech {
                complete(id, items[id]?.text ?? transcript.text, &operations)
            }
        } else if unfilled[id] != nil {
            unfilled[id]?.parts[index] = transcript.text
            guard let filling = unfilled[id], filling.parts.count >= filling.count else { return }
            unfilled[id] = nil
            let text = filling.parts.sorted { $0.key < $1.key }.map(\.value).joined()
            operations.append(.fill(id: id, text: text))
        } else if !placed.contains(id) {
            var parts = [index: transcript.text]
            if case .transcripts(let others)? = early[id]?.news { parts.merge(others) { new, _ in new } }
            keep(.transcripts(parts), id, now)
        }
    }

    mutating func failed(_ id: String, _ reason: String, _ now: Duration, _ operations: inout [Transcript.Change]) {
        if let item = items[id] {
            guard item.role == .user else { return }
            if placed.contains(id) {
                expire(id, item, reason: reason, &operations)
            } else {
                items[id]?.failure = reason
            }
        } else if !placed.contains(id), early[id] == nil {
            keep(.failure(reason), id, now)
        }
    }

    private mutating func keep(_ news: Early.News, _ id: String, _ now: Duration) {
        counter += 1
        early[id] = Early(news: news, deadline: now + limits.transcript, number: counter)
        // A hostile server must not fill the memory.
        if early.count > 256, let oldest = early.min(by: { $0.value.number < $1.value.number }) {
            early[oldest.key] = nil
        }
    }

    /// Completes an item.
    mutating func finish(_ item: ResponseItem, _ now: Duration, _ operations: inout [Transcript.Change]) {
        if item.isWhole, let id = item.id {
            if placed.contains(id) {
                operations.append(.set(id: id, item))
            } else {
                items[id]?.content = item
            }
        }
        guard case .message(let message) = item, message.role == .assistant, let id = item.id else { return }
        let isInterrupted = message.status == .incomplete
        guard let known = items[id] else {
            if !placed.contains(id) {
                keep(.answer(message.text, isInterrupted: isInterrupted), id, now)
            } else if unfilled.removeValue(forKey: id) != nil {
                operations.append(.fill(id: id, text: message.text))
            }
            return
        }
        guard known.role == .assistant else { return }
        if isInterrupted { items[id]?.isInterrupted = true }
        let text = message.text.isEmpty ? known.text : message.text
        if placed.contains(id) {
            complete(id, text, &operations)
        } else {
            items[id]?.parts = [0: text]
            items[id]?.isWhole = !isInterrupted
            if isInterrupted { keep(.answer(text, isInterrupted: true), id, now) }
        }
    }

    /// Completes all items of an answer that has ended.
    mutating func ended(_ response: RealtimeResponse, _ now: Duration, _ operations: inout [Transcript.Change]) {
        for item in response.output { finish(item, now, &operations) }
        let rest = items.filter { $0.value.responseID == response.id && $0.value.role == .assistant }
        for (id, item) in rest.sorted(by: { $0.value.number < $1.value.number }) where placed.contains(id) {
            if response.status != .completed { items[id]?.isInterrupted = true }
            complete(id, item.text, &operations)
        }
    }
}

// SPDX-License-Identifier: MIT

extension ResponseGate {
    /// The servers' error code for a request while an answer is under way.
    static let busyCode = "conversation_already_has_active_response"

    mutating func add(_ request: Request, _ actions: inout [Action]) {
        // Outside of the conversation any number of answers may be under way.
        if let response = request.response, !response.isInConversation {
            if isConnected {
                actions.append(.create(request))
            } else {
                actions.append(.dropped(requestID: request.id, .refused(code: nil)))
            }
            return
        }
        let isPlain = request.response == nil
        if isPlain, !request.items.isEmpty, let active, !active.isCancelling, request.items.isSubset(of: active.items) {
            actions.append(.answering(requestID: request.id, responseID: active.id))
            return
        }
        if isPlain, let index = waiting.firstIndex(where: { $0.request.response == nil }) {
            waiting[index].join(Waiting(request))
        } else {
            waiting.insert(Waiting(request), at: request.goesFirst ? 0 : waiting.endIndex)
        }
    }

    mutating func interrupt(at now: Duration, _ actions: inout [Action]) {
        for request in waiting { drop(request, .interrupted, &actions) }
        waiting = []
        asked?.isCancelled = true
        serverResponse?.isCancelled = true
        stopActive(at: now, &actions)
    }

    mutating func stopActive(at now: Duration, _ actions: inout [Action]) {
        guard let active, !active.isCancelling else { return }
        self.active?.isCancelling = true
        self.active?.since = now
        actions.append(.cancel(responseID: active.id))
    }

    mutating func created(_ id: String, for request: String?, at now: Duration, _ actions: inout [Action]) {
        guard active?.id != id, !finished.contains(id) else { return }
        active = Active(id: id, since: now, items: Set(seenItems))
        let expected = serverResponse.take()
        if let asked, request == asked.request.request.id {
            self.asked = nil
            active?.response = asked.request.request.response
            for name in asked.request.names { actions.append(.answering(requestID: name, responseID: id)) }
            if asked.isCancelled { return stopActive(at: now, &actions) }
            // An answer with special settings answers no other request.
            guard asked.request.request.response == nil else { return }
            // The user may have spoken before the request arrived: this answers the items that the server had then.
            return cover(with: id, where: { !$0.isOpen }, &actions)
        }
        if expected?.isCancelled == true { return stopActive(at: now, &actions) }
        // The server began by itself, or long after a request was given up. This answers the items that it had by then.
        cover(with: id, where: { _ in true }, &actions)
        if let asked, isCovered(asked.request) { self.asked?.coveringID = id }
    }

    private mutating func cover(with id: String, where mayBe: (Waiting) -> Bool, _ actions: inout [Action]) {
        let answered = waiting.filter { mayBe($0) && isCovered($0) }
        for name in answered.flatMap(\.names) { actions.append(.answering(requestID: name, responseID: id)) }
        waiting.removeAll { answered.contains($0) }
    }

    private func isCovered(_ waiting: Waiting) -> Bool {
        waiting.request.response == nil && waiting.request.items.isSubset(of: seenItems)
    }

    /// Puts a request first in the queue, joined with a waiting one if possible.
    private mutating func putBack(_ request: Waiting) {
        var request = request
        if request.request.response == nil, let index = waiting.firstIndex(where: { $0.request.response == nil }) {
            request.join(waiting.remove(at: index))
        }
        waiting.insert(request, at: 0)
    }

    mutating func saw(item id: String) {
        seenItems.append(id)
        if seenItems.count > 256 { seenItems.removeFirst() }
    }

    mutating func finish(_ id: String) {
        if active?.id == id { active = nil }
        finished.append(id)
        if finished.count > 16 { finished.removeFirst() }
    }

    mutating func failed(_ event: String?, _ code: String?, at now: Duration, _ actions: inout [Action]) {
        guard let asked, asked.request.request.id == event else { return }
        self.asked = nil
        if asked.isCancelled {
            drop(asked.request, .interrupted, &actions)
        } else if code == Self.busyCode, let covering = asked.coveringID {
            for name in asked.request.names { actions.append(.answering(requestID: name, responseID: covering)) }
        } else if code == Self.busyCode {
            putBack(asked.request)
            if active == nil { pauseDeadline = now + limits.pause }
        } else {
            drop(asked.request, .refused(code: code), &actions)
        }
    }

    mutating func disconnected(_ actions: inout [Action]) {
        isConnected = false
        serverResponse = nil
        pauseDeadline = nil
        seenItems = []
        if let active {
            finish(active.id)
            if !active.isCancelling { actions.append(.lost(responseID: active.id, active.response)) }
        }
        guard let asked else { return }
        self.asked = nil
        if asked.isCancelled {
            drop(asked.request, .interrupted, &actions)
        } else {
            putBack(asked.request)
        }
    }

    func drop(_ waiting: Waiting, _ reason: Reason, _ actions: inout [Action]) {
        for name in waiting.names { actions.append(.dropped(requestID: name, reason)) }
    }

    mutating func pump(at now: Duration, _ actions: inout [Action]) {
        guard isConnected, !isBusy, serverResponse == nil, pauseDeadline == nil, !waiting.isEmpty else { return }
        let next = waiting.removeFirst()
        asked = Asked(request: next, since: now)
        actions.append(.create(next.request))
    }
}

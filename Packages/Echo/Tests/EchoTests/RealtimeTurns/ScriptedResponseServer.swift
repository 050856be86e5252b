// SPDX-License-Identifier: MIT

@testable import Echo

/// What a server does with requests for answers, with a line in each direction on which things take their time.
struct ScriptedResponseServer {
    enum Up { case create(ResponseGate.Request), cancel(String), item(String), speech }

    var up: [Up] = []
    var down: [ResponseGate.Event] = []
    private var active: String?
    private var items: Set<String> = []
    private var count = 0
    /// How often a request came while an answer was under way.
    private(set) var refusals = 0
    /// What each answer that began had read, and the request that it was asked for by.
    private(set) var answers: [String: (items: Set<String>, request: String?)] = [:]

    /// Takes one thing off the line.
    mutating func receive(failing: Bool) {
        guard !up.isEmpty else { return }
        switch up.removeFirst() {
        case .create(let request):
            if active != nil {
                refusals += 1
                down.append(.failed(eventID: request.id, code: "conversation_already_has_active_response"))
            } else if failing {
                down.append(.failed(eventID: request.id, code: "rate_limit_exceeded"))
            } else {
                begin(request.id)
            }
        case .cancel(let id):
            if active == id {
                end()
            } else {
                down.append(.failed(eventID: "cancel", code: "response_cancel_not_active"))
            }
        case .item(let id):
            items.insert(id)
            down.append(.itemAdded(id: id))
        case .speech: if active == nil { begin(nil) }
        }
    }

    private mutating func begin(_ request: String?) {
        count += 1
        let id = "answer\(count)"
        active = id
        answers[id] = (items, request)
        down.append(.created(responseID: id, requestID: request))
    }

    /// Ends the answer under way.
    mutating func end() {
        guard let active else { return }
        down.append(.done(responseID: active))
        self.active = nil
    }
}

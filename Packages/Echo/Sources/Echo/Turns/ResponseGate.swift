// SPDX-License-Identifier: MIT

/// Requests one answer at a time from a voice session: a pure state machine.
///
/// A server refuses to begin an answer while another is under way in the conversation. So requests wait here: for the
/// answer before them, for the end of a cancelled one, and for one that the server is about to begin by itself. If the
/// server begins one by itself before it sees the request, its refusal is not reported: the request waits again.
/// Requests that wait together without special settings are joined.
///
/// Times are durations since any fixed moment. Nothing waits longer than its limit in ``Limits``.
struct ResponseGate: Sendable {
    let limits: Limits
    /// Waiting requests, first in, first out.
    var waiting: [Waiting] = []
    /// The request that was sent and that the server has neither accepted nor refused.
    var asked: Asked?
    /// The answer under way.
    var active: Active?
    /// The time limit of the wait for an answer that the server begins by itself, and true if it was interrupted before
    /// it began.
    var serverResponse: (deadline: Duration, isCancelled: Bool)?
    /// The end of the pause before the next request, since the server is busy for a reason that it did not report.
    var pauseDeadline: Duration?
    var isConnected = true
    /// Answers that ended recently, so that a late event of one of them does not begin it again.
    var finished: [String] = []
    /// The items that the server reported last.
    var seenItems: [String] = []

    /// A gate of an open session.
    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// True if an answer is under way or requested.
    var isBusy: Bool { asked != nil || active != nil }

    /// The answer under way.
    var activeResponseID: String? { active?.id }

    /// The time of the next step of ``advance(to:)``.
    var deadline: Duration? {
        [
            asked.map { $0.since + limits.request },
            active.map { $0.since + ($0.isCancelling ? limits.cancel : limits.answer) },
            serverResponse?.deadline, pauseDeadline,
        ].compactMap { $0 }.min()
    }

    /// Handles an event, and returns the actions to perform.
    mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .request(let request): add(request, &actions)
        case .interrupt: interrupt(at: now, &actions)
        case .stop: stopActive(at: now, &actions)
        case .expectServerResponse: serverResponse = (now + limits.serverResponse, false)
        case .itemAdded(let id): saw(item: id)
        case .created(let id, let request, let isInConversation):
            if isInConversation { created(id, for: request, at: now, &actions) }
        case .done(let id): finish(id)
        case .failed(let request, let code): failed(request, code, at: now, &actions)
        case .disconnected: disconnected(&actions)
        case .connected: isConnected = true
        }
        pump(at: now, &actions)
        return actions
    }

    /// Ends every wait whose time limit has passed.
    mutating func advance(to now: Duration) -> [Action] {
        var actions: [Action] = []
        if let asked, asked.since + limits.request <= now {
            self.asked = nil
            drop(asked.request, asked.isCancelled ? .interrupted : .timedOut, &actions)
        }
        if let active, active.since + (active.isCancelling ? limits.cancel : limits.answer) <= now {
            finish(active.id)
            if !active.isCancelling { actions.append(.lost(responseID: active.id, active.response)) }
        }
        if let serverResponse, serverResponse.deadline <= now { self.serverResponse = nil }
        if let pauseDeadline, pauseDeadline <= now { self.pauseDeadline = nil }
        pump(at: now, &actions)
        return actions
    }
}

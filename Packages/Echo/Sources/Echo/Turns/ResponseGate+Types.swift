// SPDX-License-Identifier: MIT

extension ResponseGate {
    /// Time limits of the waits.
    struct Limits: Sendable, Hashable, Codable {
        /// For the server's response to a request. 15 s.
        var request: Duration
        /// For the end of an answer that was cancelled. 5 s.
        var cancel: Duration
        /// For an answer that the server begins by itself. 3 s.
        var serverResponse: Duration
        /// For the end of an answer. 10 min.
        var answer: Duration
        /// For a server that is busy for a reason that it did not report. 500 ms.
        var pause: Duration

        /// Limits; without arguments the defaults.
        init(
            request: Duration = .seconds(15), cancel: Duration = .seconds(5), serverResponse: Duration = .seconds(3),
            answer: Duration = .seconds(600), pause: Duration = .milliseconds(500)
        ) {
            self.request = request
            self.cancel = cancel
            self.serverResponse = serverResponse
            self.answer = answer
            self.pause = pause
        }
    }

    /// A request for an answer.
    struct Request: Sendable, Hashable {
        /// The request's id: the `event_id` of the `response.create`, and its metadata's ``ResponseGate/metadataName``.
        var id: String
        /// Special settings of the answer; `nil` for the session's.
        var response: RealtimeResponseRequest?
        /// The items that it answers, such as the results of tools. An answer that the server began by itself after it
        /// had them satisfies this request too. Empty if they are unknown.
        var items: Set<String> = []
        /// True if it precedes the requests that wait already.
        var goesFirst = false
    }

    /// The gate's events.
    enum Event: Sendable, Hashable {
        /// An answer is requested.
        case request(Request)
        /// The answer is to stop, and the waiting requests are dropped.
        case interrupt
        /// The answer under way is to stop; the waiting requests stay.
        case stop
        /// The server will begin an answer by itself: its voice activity detection committed the user's turn.
        case expectServerResponse
        /// The server has that item.
        case itemAdded(id: String)
        /// `response.created`; `requestID` is from its metadata.
        case created(responseID: String, requestID: String?, isInConversation: Bool = true)
        /// `response.done`, with any status.
        case done(responseID: String)
        /// `error` about an event of the client's.
        case failed(eventID: String?, code: String?)
        /// The session has ended.
        case disconnected
        /// A session is open again.
        case connected
    }

    /// The gate's actions.
    enum Action: Sendable, Hashable {
        /// Send `response.create`.
        case create(Request)
        /// Send `response.cancel`.
        case cancel(responseID: String)
        /// That answer belongs to that request.
        case answering(requestID: String, responseID: String)
        /// The request will get no answer.
        case dropped(requestID: String, Reason)
        /// The answer has no end; with the special settings of its request.
        case lost(responseID: String, RealtimeResponseRequest? = nil)
    }

    /// The reason why there will be no answer.
    enum Reason: Sendable, Hashable {
        /// The answer was interrupted.
        case interrupted
        /// The server refused the request; its error code.
        case refused(code: String?)
        /// The server did not respond in time.
        case timedOut
    }

    /// The key in a response's metadata that contains the request's id.
    static let metadataName = "echo_request"

    struct Waiting: Sendable, Hashable {
        var request: Request
        /// The ids of the requests that were joined.
        var names: [String]
        /// True if one of them does not name the items that it answers.
        var isOpen: Bool

        init(_ request: Request) {
            self.request = request
            names = [request.id]
            isOpen = request.items.isEmpty
        }

        mutating func join(_ other: Waiting) {
            request.items.formUnion(other.request.items)
            names += other.names
            isOpen = isOpen || other.isOpen
        }
    }

    struct Asked: Sendable, Hashable {
        var request: Waiting
        var since: Duration
        var isCancelled = false
        /// An answer that the server began by itself. It satisfies this request too if the server refuses the request
        /// as busy.
        var coveringID: String?
    }

    struct Active: Sendable, Hashable {
        var id: String
        var since: Duration
        var isCancelling = false
        /// The items that the server had when the answer began.
        var items: Set<String> = []
        /// The special settings of its request.
        var response: RealtimeResponseRequest?
    }
}

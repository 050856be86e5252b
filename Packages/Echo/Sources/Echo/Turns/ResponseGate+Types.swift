// SPDX-License-Identifier: MIT

extension ResponseGate {
    /// How long what waits.
    public struct Limits: Sendable, Hashable {
        /// For the server's word on a request. 15 s.
        public var request = Duration.seconds(15)
        /// For the end of an answer that was cancelled. 5 s.
        public var cancel = Duration.seconds(5)
        /// For an answer that the server begins by itself. 3 s.
        public var serverResponse = Duration.seconds(3)
        /// For the end of an answer. 10 min.
        public var answer = Duration.seconds(600)
        /// For a server that is busy with something that it did not tell of. 500 ms.
        public var pause = Duration.milliseconds(500)

        /// The defaults.
        public init() {}
    }

    /// An answer that is wanted.
    public struct Request: Sendable, Hashable {
        /// Its name: the `event_id` of the `response.create`, and its metadata's ``ResponseGate/metadataName``.
        public var id: String
        /// What is special about it; `nil` for nothing.
        public var response: RealtimeResponseRequest?
        /// The items that it answers to, such as the results of tools. An answer which the server began by itself after
        /// it had them does for this request too. None where that is not known.
        public var items: Set<String>
        /// True if it goes before those that wait already.
        public var goesFirst: Bool

        /// A request.
        public init(
            id: String, response: RealtimeResponseRequest? = nil, items: Set<String> = [], goesFirst: Bool = false
        ) {
            self.id = id
            self.response = response
            self.items = items
            self.goesFirst = goesFirst
        }
    }

    /// What happens.
    public enum Event: Sendable, Hashable {
        /// An answer is wanted.
        case request(Request)
        /// The answer is to stop, and what waits is no longer wanted.
        case interrupt
        /// The answer under way is to stop; what waits is still wanted.
        case stop
        /// The server will begin an answer by itself: the user's turn was committed by its detector of speech.
        case expectServerResponse
        /// The server has that item.
        case itemAdded(id: String)
        /// `response.created`; `requestID` is what its metadata say.
        case created(responseID: String, requestID: String?, isInConversation: Bool = true)
        /// `response.done`, whatever the status.
        case done(responseID: String)
        /// `error` about an event of the client's.
        case failed(eventID: String?, code: String?)
        /// The session is gone.
        case disconnected
        /// There is a session again.
        case connected
    }

    /// What to do.
    public enum Action: Sendable, Hashable {
        /// Send `response.create`.
        case create(Request)
        /// Send `response.cancel`.
        case cancel(responseID: String)
        /// That answer is the one that was wanted.
        case answering(requestID: String, responseID: String)
        /// There will be no answer.
        case dropped(requestID: String, Reason)
        /// The answer's end did not come; with what was special about its request.
        case lost(responseID: String, RealtimeResponseRequest? = nil)
    }

    /// The reason why there will be no answer.
    public enum Reason: Sendable, Hashable {
        /// Somebody interrupted.
        case interrupted
        /// The server refused; its code.
        case refused(code: String?)
        /// The server said nothing.
        case timedOut
    }

    /// The name in a response's metadata by which a request is known again.
    public static let metadataName = "echo_request"

    struct Waiting: Sendable, Hashable {
        var request: Request
        /// The names of the requests that became one.
        var names: [String]
        /// True if one of them does not say what it answers to.
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
        /// An answer that the server began by itself and that answers this too, should the server be too busy for it.
        var coveringID: String?
    }

    struct Active: Sendable, Hashable {
        var id: String
        var since: Duration
        var isCancelling = false
        /// What the server had when it began.
        var items: Set<String> = []
        /// What was special about its request.
        var response: RealtimeResponseRequest?
    }
}

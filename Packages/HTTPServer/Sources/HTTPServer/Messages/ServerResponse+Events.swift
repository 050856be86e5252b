// SPDX-License-Identifier: MIT

public import Networking

/// Sends server-sent events (WHATWG HTML §9.2). Any number of tasks may send.
public actor EventWriter {
    private let writer: ResponseWriter
    private var isWriting = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ writer: ResponseWriter) {
        self.writer = writer
    }

    /// Sends an event, after those that were sent before.
    ///
    /// - Throws: The errors of writing; a ``HTTPServerError`` with the code `invalidResponse` if the type or the id has
    ///   a line break in it.
    public func send(_ event: ServerSentEvent) async throws {
        guard !(event.type + event.lastEventID).contains(where: { $0.isNewline || $0 == "\0" }) else {
            throw HTTPServerError(
                code: .invalidResponse, message: "The type and the id of an event may not have a line break.")
        }
        var text = ""
        if event.type != "message" { text += "event: \(event.type)\n" }
        if !event.lastEventID.isEmpty { text += "id: \(event.lastEventID)\n" }
        for line in event.data.split(omittingEmptySubsequences: false, whereSeparator: Self.isLineEnd) {
            text += "data: \(line)\n"
        }
        try await write(text + "\n")
    }

    /// Sends a comment, which clients ignore and which keeps the connection open.
    func sendComment() async throws {
        try await write(":\n\n")
    }

    private static func isLineEnd(_ character: Character) -> Bool {
        character == "\n" || character == "\r" || character == "\r\n"
    }

    private func write(_ text: String) async throws {
        while isWriting { await withCheckedContinuation { waiting.append($0) } }
        isWriting = true
        defer {
            isWriting = false
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
        try await writer.write(text)
    }
}

extension ServerResponse {
    /// Server-sent events. `send` runs until it returns, throws or is cancelled because the client has gone.
    ///
    /// - Parameters:
    ///   - heartbeat: The time between two comments, so that a dead connection is noticed and a proxy keeps a living
    ///     one.
    ///   - clock: Times the heartbeats.
    ///   - send: Sends the events.
    public static func events(
        heartbeat: Duration = .seconds(15), clock: any Clock<Duration> = ContinuousClock(),
        _ send: @escaping @Sendable (EventWriter) async throws -> Void
    ) -> ServerResponse {
        let headers: HTTPHeaders = [
            "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
        ]
        var response = ServerResponse.stream(headers: headers) { writer in
            let events = EventWriter(writer)
            // The header reaches the client with the first byte.
            try await events.sendComment()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await send(events) }
                group.addTask {
                    while true {
                        try await clock.sleep(for: heartbeat)
                        try await events.sendComment()
                    }
                }
                defer { group.cancelAll() }
                do {
                    try await group.next()
                } catch is CancellationError {
                    // The client has gone, or the server stops: events have no end that a client could miss.
                }
            }
        }
        response.isEndless = true
        return response
    }
}

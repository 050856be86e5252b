// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Networking
import TestKit
import Testing

@testable import HTTPServer

/// What a request needed is gone with it: a server answers millions.
@Suite(.timeLimit(.minutes(5))) struct ReleaseTests {
    private final class Watched: Sendable {
        private struct State {
            weak var exchange: Exchange?
            var count = 0
        }

        private let state = Guarded(State())

        func watch(_ request: ServerRequest) {
            let exchange = request.body.makeAsyncIterator().source as? Exchange
            state.withLock { ($0.exchange, $0.count) = (exchange, $0.count + (exchange == nil ? 0 : 1)) }
        }

        var count: Int { state.withLock { $0.count } }
        var isGone: Bool { state.withLock { $0.exchange == nil } }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
    ])
    func anAnsweredRequestIsReleased(_ text: String) async throws {
        let watched = Watched()
        let handler: HTTPHandler = { request in
            watched.watch(request)
            return .text("\(try await request.body.collect(upTo: 10).count)")
        }
        try await withServer(handler: handler) { server in
            let client = try server.connect()
            try client.send(text)
            #expect(try await client.readAnswer().status == 200)
            client.hangUp()
        }
        #expect(watched.count == 1)
        // The handler's task may be a moment behind its answer.
        try await eventually("nothing holds the request") { watched.isGone }
    }
}

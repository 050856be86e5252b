// SPDX-License-Identifier: MIT

import AuthTestSupport
import Diagnostics
import FoundationEssentials
import Glibc
import Networking
import Security
import TestKit
import Testing

@testable import Auth

/// Real processes that share a session's secrets, against a server that ends the session of whoever shows an old token.
@Suite(.serialized) struct SharedSessionTests {
    @Test func `two processes refreshing at once`() async throws {
        let place = try await SharedPlace(grace: 0)
        let programs = try (0..<2).map { _ in try place.start("renew", count: 15) }
        for program in programs {
            let lines = await program.detached { $0.lines() }
            #expect(lines == Array(repeating: "renewed", count: 15) + ["signedIn"])
            #expect(await program.finished().end == .exited(0))
        }
        // Every exchange, those of both starts included, showed the newest token: the session is open.
        #expect(try place.server.status() == "open 32")
        place.close()
    }

    @Test func `a program killed before it stored the new token`() async throws {
        let place = try await SharedPlace(grace: 10)
        let program = try place.start("stall", count: 1)
        #expect(await program.detached { $0.line() } == "storing")
        program.kill()
        #expect(await program.finished().end == .signalled(SIGKILL))
        #expect(try place.server.status() == "open 1")
        // Its lock went with it, and the server gives the lost token again.
        let next = try place.start("renew", count: 1)
        #expect(await next.detached { $0.lines() } == ["renewed", "signedIn"])
        #expect(await next.finished().end == .exited(0))
        #expect(try place.server.status().hasPrefix("open"))
        place.close()
    }

    @Test func `a program killed while the answer is on its way`() async throws {
        let place = try await SharedPlace(grace: 10, holdsFirst: true)
        let program = try place.start("renew", count: 1)
        #expect(try place.server.read() == "rotated")
        program.kill()
        #expect(await program.finished().end == .signalled(SIGKILL))
        let next = try place.start("renew", count: 1)
        #expect(await next.detached { $0.lines() } == ["renewed", "signedIn"])
        #expect(await next.finished().end == .exited(0))
        place.close()
    }
}

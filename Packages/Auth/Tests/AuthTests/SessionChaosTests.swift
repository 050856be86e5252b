// SPDX-License-Identifier: MIT

import AuthTestSupport
import Concurrency
import Diagnostics
import FoundationEssentials
import Networking
import TestKit
import Testing

@testable import Auth

/// Two programs that share a session do whatever comes, while answers are lost and time goes by.
@Suite struct SessionChaosTests {
    @Test(arguments: 0..<30) func `a session ends only when somebody ends it`(_ seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let fixture = try SessionFixture()
        let programs = [fixture.controller, try fixture.another()]
        let loses = Guarded(false)
        fixture.server.afterRotation { _ in
            let isLost = loses.withLock { loses in
                defer { loses = false }
                return loses
            }
            if isLost { throw NetworkError(code: .connectionLost, message: "m") }
        }
        try await fixture.signIn()
        try await programs[1].start()
        for step in 0..<40 {
            let place: Comment = "seed \(seed), step \(step)"
            loses.withLock { $0 = Int.random(in: 0..<4, using: &random) == 0 }
            let choice = Int.random(in: 0..<8, using: &random)
            async let first: Void = act(choice, programs[0])
            async let second: Void = act(Int.random(in: 0..<3, using: &random), programs[1])
            _ = await (first, second)
            // What was lost is asked for again while the server still gives it.
            loses.withLock { $0 = false }
            fixture.clock.advance(by: .seconds(1), wakes: false)
            for program in programs { await act(0, program) }
            if choice == 7 {
                #expect(fixture.server.openSessions.isEmpty, place)
                #expect(try await fixture.records.session() == nil, place)
                for program in programs { #expect(await program.state == .signedOut, place) }
                fixture.clock.advance(by: .seconds(61), wakes: false)
                try await fixture.signIn()
                try await programs[1].start()
                await act(0, programs[1])
            }
            #expect(fixture.server.openSessions.count == 1, place)
            let stored = try await fixture.records.session()?.id
            for program in programs {
                #expect(await program.state == .signedIn, place)
                #expect(await program.token()?.session == stored, place)
            }
            fixture.clock.advance(by: .seconds(Int.random(in: 0..<2_000, using: &random)), wakes: false)
        }
        for program in programs { await program.close() }
    }

    private func act(_ choice: Int, _ program: SessionController) async {
        switch choice {
        case 0, 3, 4:
            guard let token = await program.token() else { return }
            _ = try? await program.refresh(token)
        case 1: _ = await program.token()
        case 2, 5: _ = try? await program.fetchUser()
        case 7: try? await program.signOut()
        default: try? await program.start()
        }
    }
}

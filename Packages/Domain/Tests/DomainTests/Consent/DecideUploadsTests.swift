// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Testing

@Suite struct DecideUploadsTests {
    private static let time = Date(timeIntervalSince1970: 1_700_000_000)
    private let store = InMemoryUploadConsentStore()

    private func decide(isSwitchedOn: Bool = true) -> DecideUploads {
        let gate = UploadGate(account: "ada", store: store) { isSwitchedOn }
        return DecideUploads(account: "ada", store: store, gate: gate, now: { Self.time })
    }

    @Test func `an answer is stored with its date and holds at once`() async throws {
        #expect(try await decide().needsAnswer())
        #expect(try await decide().standing().permission == .refused(.notAsked))
        let consent = try await decide().answer(.given)
        #expect(consent == UploadConsent(.given, at: Self.time))
        let standing = try await decide().standing()
        #expect(standing.consent == consent && standing.permission == .allowed)
        #expect(try await !decide().needsAnswer())
    }

    @Test func `a withdrawal stops what was allowed`() async throws {
        try await decide().answer(.given)
        try await decide().answer(.withdrawn)
        #expect(try await decide().standing().permission == .refused(.withdrawn))
        #expect(try await !decide().needsAnswer())
    }

    @Test func `the server's switch leaves the question open`() async throws {
        #expect(try await decide(isSwitchedOn: false).needsAnswer())
    }

    private actor Steps {
        private(set) var all: [String] = []
        func add(_ step: String) { all.append(step) }
    }

    @Test func `nothing is forgotten before the server's receipt`() async throws {
        let steps = Steps()
        let receipt = DeletionReceipt(id: "1", place: .server, deletedAt: Self.time, counts: [:])
        let got = try await decide().deleteSent {
            await steps.add("server")
            return receipt
        } forget: {
            await steps.add("forget")
        }
        #expect(got == receipt)
        #expect(await steps.all == ["server", "forget"])
        await #expect(throws: DomainError.offline("No route.")) {
            _ = try await decide().deleteSent {
                throw DomainError.offline("No route.")
            } forget: {
                await steps.add("forgot too much")
            }
        }
        #expect(await steps.all == ["server", "forget"])
    }
}

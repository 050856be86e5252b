// SPDX-License-Identifier: MIT

import Domain
import Testing

@testable import parley

/// The message of a repair that a service is in the way of.
struct RunningServicesTests {
    private func failure(_ error: DomainError, running: [String]) async -> DomainError? {
        await #expect(throws: DomainError.self) {
            try await SystemManager.withoutServices("parley history repair", running: { running }) { throw error }
        }
    }

    @Test func `a repair beside a service says how that one is stopped`() async {
        let failure = await failure(.storage("It is open."), running: ["one.service", "two.service"])
        #expect(
            failure
                == .storage(
                    "It is open. Parley's service runs. Stop it, repair, and start it again: "
                        + "systemctl --user stop one.service two.service; parley history repair; "
                        + "systemctl --user start one.service two.service"))
    }

    @Test func `any other failure of a repair stays as it is`() async {
        #expect(await failure(.storage("It is open."), running: []) == .storage("It is open."))
        #expect(await failure(.noSpeech, running: ["one.service"]) == .noSpeech)
    }
}

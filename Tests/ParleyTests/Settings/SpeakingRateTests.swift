// SPDX-License-Identifier: MIT

import Diagnostics
import Domain
import DomainTestSupport
import Speech
import TerminalKit
import TestKit
import Testing

@testable import parley

/// The speed of the voice as a setting.
@Suite struct SpeakingRateTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func rate(live: SpeechRate? = nil) throws -> StoredSpeakingRate {
        let console = Console(
            output: OutputStream(descriptor: 1), errors: OutputStream(descriptor: 2), isJSON: false,
            traits: TerminalTraits(environment: [:], isTerminal: false))
        let app = CompositionRoot(
            paths: try AppPaths(environment: ["PARLEY_HOME": folder.path, "HOME": folder.path]), logger: .disabled,
            console: console, environment: [:])
        return StoredSpeakingRate(app: app, live: live)
    }

    @Test(arguments: SpeakingRateContract.checks)
    func `it keeps the contract, in a command that speaks and in one that does not`(
        _ check: ContractCheck<any SpeakingRate>
    ) async throws {
        try await check.run(rate())
        try await check.run(rate(live: SpeechRate()))
    }

    @Test func `the voice that speaks is changed at once, and the next command has its speed`() async throws {
        let live = SpeechRate(percent: 120)
        _ = try await rate(live: live).set(percent: 105)
        #expect(live.percent == 105)
        #expect(try await rate().percent() == 105)
    }
}

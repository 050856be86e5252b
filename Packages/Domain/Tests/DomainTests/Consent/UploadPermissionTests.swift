// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import TestKit
import Testing

@Suite struct UploadPermissionTests {
    private static let time = Date(timeIntervalSince1970: 1_700_000_000)

    @Test func `nothing may leave before the person was asked`() {
        #expect(UploadPermission(consent: nil, isSwitchedOn: true) == .refused(.notAsked))
        #expect(UploadPermission(consent: nil, isSwitchedOn: true).needsAnswer)
    }

    @Test(arguments: [
        (UploadConsent.Decision.declined, UploadPermission.Reason.declined), (.withdrawn, .withdrawn),
    ])
    func `a no is kept and not asked about again`(
        _ decision: UploadConsent.Decision, _ reason: UploadPermission.Reason
    ) {
        let permission = UploadPermission(consent: UploadConsent(decision, at: Self.time), isSwitchedOn: true)
        #expect(permission == .refused(reason) && !permission.needsAnswer)
    }

    @Test func `a yes to another text does not count`() {
        let consent = UploadConsent(.given, at: Self.time, textVersion: 1)
        let permission = UploadPermission(consent: consent, textVersion: 2, isSwitchedOn: true)
        #expect(permission == .refused(.textChanged) && permission.needsAnswer)
        #expect(UploadPermission(consent: consent, textVersion: 1, isSwitchedOn: true) == .allowed)
    }

    @Test func `the server's flag stops what the person allows`() {
        let consent = UploadConsent(.given, at: Self.time)
        #expect(UploadPermission(consent: consent, isSwitchedOn: false) == .refused(.switchedOff))
        #expect(UploadPermission(consent: nil, isSwitchedOn: false) == .refused(.notAsked))
    }

    @Test func `every refusal says why`() throws {
        for reason in UploadPermission.Reason.allCases {
            #expect(throws: DomainError.notAllowed(reason)) { try UploadPermission.refused(reason).check() }
        }
        try UploadPermission.allowed.check()
    }
}

@Suite(.timeLimit(.minutes(5))) struct UploadGateTests {
    private let store = InMemoryUploadConsentStore()

    private func gate(_ isSwitchedOn: @escaping @Sendable () async throws -> Bool = { true }) -> UploadGate {
        UploadGate(account: "ada", store: store, isSwitchedOn: isSwitchedOn)
    }

    private func answer(_ decision: UploadConsent.Decision) async throws {
        try await store.store(
            UploadConsent(decision, at: Date(timeIntervalSince1970: 1)), of: "ada", includingEarlier: false)
    }

    @Test func `what is not allowed does not even begin`() async throws {
        await #expect(throws: DomainError.notAllowed(.notAsked)) {
            try await gate().whileAllowed { Issue.record("it ran") }
        }
    }

    @Test func `what is allowed runs to its end`() async throws {
        try await answer(.given)
        #expect(try await gate().whileAllowed { 7 } == 7)
        await #expect(throws: DomainError.noSpeech) { try await gate().whileAllowed { throw DomainError.noSpeech } }
    }

    @Test func `withdrawing cancels what runs`() async throws {
        try await answer(.given)
        let (started, begin) = AsyncStream<Void>.makeStream()
        let running = Task {
            try await gate().whileAllowed {
                begin.yield()
                await untilCancelled()
                throw CancellationError()
            }
        }
        for await _ in started { break }
        try await answer(.withdrawn)
        await #expect(throws: DomainError.notAllowed(.withdrawn)) {
            try await running.value
        }
    }

    @Test func `switching the flag off cancels what runs`() async throws {
        try await answer(.given)
        let flag = Flag()
        let (started, begin) = AsyncStream<Void>.makeStream()
        let running = Task {
            try await gate { await flag.isOn }.whileAllowed {
                begin.yield()
                await untilCancelled()
                throw CancellationError()
            }
        }
        for await _ in started { break }
        await flag.turnOff()
        await store.touch()
        await #expect(throws: DomainError.notAllowed(.switchedOff)) {
            try await running.value
        }
    }

    @Test func `a refusal stops what runs though it is taken back`() async throws {
        try await answer(.given)
        let flag = Flag()
        await #expect(throws: DomainError.notAllowed(.switchedOff)) {
            try await gate { await flag.next() }.whileAllowed {
                await untilCancelled()
                throw CancellationError()
            }
        }
    }

    @Test func `a change that changes nothing wakes nobody`() async throws {
        try await answer(.given)
        let waiting = Task { try await gate().waitForChange(from: .allowed) }
        for _ in 0..<3 { try await answer(.given) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func `an evaluator behind a closed gate gets nothing`() async throws {
        let evaluator = GatedEvaluator(RecordingCounter(), behind: gate())
        let recording = Recording(
            cue: .init(), createdAt: Date(timeIntervalSince1970: 1), duration: 1, format: .flac, sampleRate: 16_000,
            byteCount: 1, contentHash: "a")
        await #expect(throws: DomainError.notAllowed(.notAsked)) {
            for try await _ in evaluator.evaluate(recording, of: try CueSamples.cue("hello")) {
                Issue.record("it was asked")
            }
        }
    }

    private actor Flag {
        private(set) var isOn = true
        func turnOff() { isOn = false }

        /// On and off in turn.
        func next() -> Bool {
            defer { isOn.toggle() }
            return isOn
        }
    }

    /// Fails the test when it is asked.
    private struct RecordingCounter: RecordingEvaluator {
        func evaluate(_ recording: Recording, of cue: Cue) -> AsyncThrowingStream<EvaluationProgress, any Error> {
            Issue.record("a recording left the gate")
            return AsyncThrowingStream { $0.finish() }
        }
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import NetworkingTestSupport
import TestKit
import Testing

/// The network is cut at a step of a conversation by voice with a model, through the real program: it ends, what was said and
/// heard is stored, and the next conversation works.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CutRealtimeTests {
    enum Step: String, CaseIterable, Sendable {
        case beforeConnecting, inHead, afterQuestion, inAnswer

        var moment: NetworkCut.Moment? {
            switch self {
            case .beforeConnecting: nil
            case .inHead: .inAnswer(20)
            case .afterQuestion: .inAnswerBehind("input_audio_transcription.completed")
            case .inAnswer: .inAnswerBehind("response.output_audio.delta", count: 3)
            }
        }
    }

    private static let question = "what is the capital of texas"
    private static let answer = "The capital of Texas is Austin."

    private func talk(_ fixture: RealtimeFixture) async throws -> ParleyProcess.Result {
        try await fixture.run(
            "talk", "--mode", "realtime", "--input", RealtimeFixture.question, "--output",
            fixture.parley.path("answer-\(UUID().uuidString).wav"), "--json")
    }

    private func stored(_ fixture: RealtimeFixture) async throws -> [[String: Any]] {
        let shown = try await fixture.parley.run("history", "--json")
        return shown.events.flatMap { $0["messages"] as? [[String: Any]] ?? [$0] }
    }

    @Test(arguments: Step.allCases)
    func theNetworkIsCut(_ step: Step) async throws {
        let fixture = try await RealtimeFixture(behindNetwork: true)
        let network = try #require(fixture.network)
        if let moment = step.moment { network.arm(.init("GET", "/v1/realtime", moment)) } else { network.cut() }
        let failed = try await talk(fixture)
        #expect(failed.code == 5, "\(failed.output)\(failed.errors)")
        let before = try await stored(fixture)
        guard step == .inAnswer else {
            #expect(before.isEmpty, "the words of a question come with its transcript: \(before)")
            network.restore()
            return try await works(fixture)
        }
        #expect(before.first?["role"] as? String == "user" && before.first?["text"] as? String == Self.question)
        // The cut comes when the answer has begun. How much was heard by then depends on the machine: a reset drops what the
        // program had not read, which can be all of it, and then there is no answer to store.
        #expect(before.count <= 2, "\(before)")
        for answer in before.dropFirst() {
            #expect(answer["role"] as? String == "assistant")
            let heard = try #require(answer["text"] as? String)
            #expect(!heard.isEmpty && Self.answer.hasPrefix(heard) && heard != Self.answer, "\(before)")
            #expect(answer["state"] as? String == "interrupted" && answer["heard"] as? Int == heard.count)
        }
        network.restore()
        try await works(fixture)
    }

    /// The next conversation works, and is stored.
    private func works(_ fixture: RealtimeFixture) async throws {
        let talk = try await talk(fixture)
        #expect(talk.code == 0, "\(talk.output)\(talk.errors)")
        let stored = try await stored(fixture)
        #expect(stored.suffix(2).compactMap { $0["text"] as? String } == [Self.question, Self.answer], "\(stored)")
    }

    @Test func aConnectionThatBreaksOnceIsMadeAgain() async throws {
        let fixture = try await RealtimeFixture(behindNetwork: true)
        let network = try #require(fixture.network)
        network.arm(
            .init("GET", "/v1/realtime", .inAnswerBehind("input_audio_transcription.completed"), isLasting: false))
        let talk = try await talk(fixture)
        #expect(talk.code == 0 && talk.event("answer") != nil, "\(talk.output)\(talk.errors)")
        #expect(try await stored(fixture).contains { $0["role"] as? String == "assistant" })
        #expect(network.cutCount == 1)
    }
}

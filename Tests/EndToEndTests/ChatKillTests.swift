// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import EchoSimulator
import Foundation
import TestKit
import Testing

/// `kill -9` at any instant of a chat with a model whose answer grows: no finished message is lost, and at most a kilobyte
/// of the one that was shown last.
///
/// `Scripts/soak chat` runs it for longer: PARLEY_CHAT_ROUNDS and PARLEY_CHAT_SEED say how long, and on what way.
@Suite(.timeLimit(.minutes(60))) struct ChatKillTests {
    /// An answer is stored when it is that much ahead (`GrowingAnswer`), or a second; a delta more may come meanwhile.
    private static let limit = 1_000 + 100

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    /// The shown part of a run.
    private struct Shown {
        let question: String
        let deltas: String
        let isAnswered: Bool

        init(_ question: String, _ ending: KillableRun.Ending) {
            self.question = question
            deltas = ending.events.filter { $0["event"] as? String == "delta" }.compactMap { $0["text"] as? String }
                .joined()
            isAnswered = ending.events.contains { $0["event"] as? String == "answer" }
        }

        /// The faults of the stored messages.
        func faults(in messages: [Domain.Message]) -> [String] {
            guard let asked = messages.first(where: { $0.text == question }) else {
                return deltas.isEmpty ? [] : ["the question \(question) is not stored, and its answer was shown"]
            }
            let answer = messages.last { $0.turn == asked.turn && $0.role == .assistant }
            let text = answer?.text ?? ""
            if isAnswered {
                return answer?.state == .whole && text == deltas
                    ? [] : ["a whole answer is \(String(describing: answer))"]
            }
            guard text.hasPrefix(deltas) || deltas.hasPrefix(text) else { return ["other words are stored: \(text)"] }
            let missing = deltas.utf8.count - text.utf8.count
            return missing > ChatKillTests.limit ? ["\(missing) bytes that were shown are missing"] : []
        }
    }

    @Test func `nothing finished is lost, and of what was shown at most a kilobyte`() async throws {
        let rounds = Self.number("PARLEY_CHAT_ROUNDS") ?? 12
        let seed = UInt64(Self.number("PARLEY_CHAT_SEED") ?? .random(in: 1...999_999_999))
        var random = SeededGenerator(seed: seed)
        let story = (1...700).map { "word\($0)" }.joined(separator: " ")
        let turn = Scenario.Turn(.message(story), times: .max, pace: .init(delay: .microseconds(500)))
        try await ChatFixture.using([turn]) { chat in
            var shown: [Shown] = []
            var (kills, partial) = (0, 0)
            for round in 1...rounds {
                let question = "question number \(round)"
                let goesOn = !shown.isEmpty && Bool.random(using: &random)
                let run = try KillableRun(
                    ["chat", question, "--json"] + (goesOn ? ["--continue"] : []),
                    environment: chat.parley.environment.merging(chat.environment) { $1 })
                let wait = Duration.milliseconds(Int.random(in: 0...700, using: &random))
                let ending = await run.finish(
                    at: Bool.random(using: &random) ? .afterStart(wait) : .afterLine("delta", wait))
                shown.append(Shown(question, ending))
                if ending.isKilled { kills += 1 }
                let path = chat.parley.path("home/data/conversations.sqlite")
                guard FileManager.default.fileExists(atPath: path) else { continue }
                let repository = try await SQLiteConversationRepository(path: path, damage: .refuse)
                let messages = try await repository.recentMessages(limit: .max)
                await repository.close()
                partial += messages.count { $0.state == .partial && $0.text.utf8.count > 1_000 }
                // Each round looks at all of them: a later run must not spoil what an earlier one stored.
                for fault in shown.flatMap({ $0.faults(in: messages) }) {
                    Issue.record("seed \(seed), round \(round): \(fault)")
                    return
                }
            }
            let answered = shown.count(where: \.isAnswered)
            print(
                "chat: \(rounds) rounds, seed \(seed): \(kills) kills, \(answered) answers, \(partial) looks at a partial one"
            )
            // The test is worth nothing if no kill hit an answer that grew.
            #expect(kills > 0 && (rounds < 50 || (partial > 0 && answered > 0)), "seed \(seed)")
        }
    }
}

// SPDX-License-Identifier: MIT

import EchoSimulator
import TestKit
import Testing

@testable import Echo
@testable import EchoText

/// A conversation by chance over a real WebSocket, with a service that goes wrong wherever it can.
final class WireTalk {
    /// Something that the user said or wrote.
    struct Turn {
        var text: String
        var utterance: Int?
        var pieces = 0
        /// What has the same may be in either order.
        var rank: Int
        /// Whether it may be gone: taken for noise, or said while the mode changed.
        var mayBeMissing = false
        /// Whether nothing kept the assistant from answering.
        var wantsAnswer = false
        /// Whether something went wrong meanwhile.
        var isTroubled = false
    }

    /// What became of it.
    struct Outcome: Sendable {
        var messages: [Message] = []
        var streamed: [Message] = []
        var pending: [Message] = []
        var history: [String] = []
    }

    /// What should have happened long ago.
    struct Stuck: Error, CustomStringConvertible { var description: String }

    let seed: UInt64
    let conversation: Conversation
    private let device: VirtualVoiceDevice
    private let events: Collected<EchoEvent>
    private let isManual: Bool
    private var random: SeededGenerator
    var engines: [Weak<VoiceEngine>] = []
    var sessions: [Weak<VoiceSession>] = []
    private(set) var turns: [Turn] = []
    private(set) var steps: [String] = []

    init(
        _ conversation: Conversation, _ device: VirtualVoiceDevice, _ events: Collected<EchoEvent>, isManual: Bool,
        seed: UInt64
    ) {
        (self.conversation, self.device, self.events, self.isManual) = (conversation, device, events, isManual)
        self.seed = seed
        random = SeededGenerator(seed: seed &* 31 &+ 7)
    }

    private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    // MARK: The conversation

    /// Some turns, after which all is quiet, or everything ends at once.
    func hold() async throws -> Outcome {
        let stream = conversation.messages
        let streaming = Task { await stream.reduce(into: [Message]()) { $0.append($1) } }
        for _ in 0..<number(3...6) {
            let step = number(0...9)
            steps.append("\(step)")
            switch step {
            case 0...2: try await finished { try await type() }
            case 3...5: try await finished { try await speak() }
            case 6: try await bargeIn()
            case 7: try await speakAndType()
            case 8: try await change(whileSpeaking: false)
            default: try await change(whileSpeaking: true)
            }
        }
        var outcome = Outcome()
        if number(0...3) > 0 {
            try await quiet()
            outcome.history = await conversation.history.compactMap(\.id)
        } else {
            steps.append("end")
            for index in turns.indices { turns[index].mayBeMissing = turns[index].utterance != nil }
        }
        await note()
        await conversation.close()
        outcome.messages = await conversation.allMessages
        outcome.pending = await conversation.pendingMessages
        outcome.streamed = await streaming.value
        return outcome
    }

    /// A turn that nothing disturbs, to its end.
    private func finished(_ turn: () async throws -> Void) async throws {
        let (count, troubles) = (turns.count, troubles)
        try await turn()
        try await quiet()
        for index in count..<turns.count {
            turns[index].wantsAnswer = true
            if self.troubles != troubles { turns[index].isTroubled = true }
        }
    }

    /// Errors, broken sessions and interruptions so far.
    private var troubles: Int {
        events.values.count { event in
            switch event {
            case .error, .connectionStatusChanged(.reconnecting), .assistantInterrupted: true
            default: false
            }
        }
    }

    private func typed() -> String {
        turns.append(Turn(text: "Text \(turns.count)", rank: turns.count))
        return turns[turns.count - 1].text
    }

    private func type() async throws {
        let (text, index) = (typed(), turns.count - 1)
        do { try await conversation.send(text) } catch is EchoError { turns[index].isTroubled = true }
    }

    private func speak(isSure: Bool = true) async throws {
        guard await conversation.mode == .audio, let stream = device.stream else { return }
        let (utterance, pieces) = (turns.count, number(8...30))
        turns.append(
            Turn(text: "u\(utterance)", utterance: utterance, pieces: pieces, rank: utterance, mayBeMissing: !isSure))
        if isManual { try await conversation.beginUserTurn() }
        let before = starts
        for _ in 0..<pieces { stream.tell(.captured(WireSound.piece(of: utterance))) }
        if !isManual { stream.capture(milliseconds: 1_000, value: 0) }
        if isManual {
            try await until("the speech is taken") { [self] in
                guard let engine = conversation.current as? VoiceEngine else { return true }
                return await engine.machine.turns.captured >= .milliseconds(pieces * 20)
            }
            try await conversation.endUserTurn()
        } else {
            try await until("the speech is heard") { [self] in
                if conversation.current.mode == .text { return true }
                return starts > before
            }
        }
        if await conversation.mode == .text { turns[utterance].mayBeMissing = true }
    }

    private var starts: Int { events.values.count { $0.type == .userStartedSpeaking } }

    /// The user speaks over an answer, or has it stopped.
    private func bargeIn() async throws {
        let (text, conversation) = (typed(), conversation)
        let sending = Task { try await conversation.send(text) }
        try await until("\(text) is there") {
            let all = await conversation.allMessages + conversation.pendingMessages
            return all.contains { $0.text == text }
        }
        await disturbOrder(number(0...40))
        if number(0...2) == 0 { try await conversation.interruptAssistant() } else { try await speak(isSure: isManual) }
        do { try await sending.value } catch is EchoError {}
        try await quiet()
    }

    private func speakAndType() async throws {
        let count = turns.count
        try await speak(isSure: isManual)
        try await type()
        for index in count..<turns.count { turns[index].rank = count }
        try await quiet()
    }

    /// To text and back, or to voice where it fell back to text before.
    private func change(whileSpeaking: Bool) async throws {
        let (conversation, text) = (conversation, whileSpeaking ? typed() : nil)
        let sending = text.map { text in Task { try await conversation.send(text) } }
        if let text {
            try await until("\(text) is there") {
                let all = await conversation.allMessages + conversation.pendingMessages
                return all.contains { $0.text == text }
            }
        }
        let mode: EchoMode = await conversation.mode == .text ? .audio : .text
        do { try await conversation.switchMode(to: mode) } catch is EchoError {}
        do { try await sending?.value } catch is EchoError {}
        try await type()
        if mode == .text { do { try await conversation.switchMode(to: .audio) } catch is EchoError {} }
        try await quiet()
    }
}

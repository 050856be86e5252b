// SPDX-License-Identifier: MIT

package import AudioKitLinux
package import DataVoice
package import Domain
import DomainTestSupport
import Speech
import StateKnowledge
import Synchronization

/// An assistant in a room, with its reports.
package final class RoomAssistant: Sendable {
    package let room: Room
    private let reports: AsyncStream<RoomEvent>
    private let continuation: AsyncStream<RoomEvent>.Continuation
    private let seen = Mutex<[RoomEvent]>([])
    private let task: Task<Void, any Error>

    package init(_ room: Room, engines: MicrophoneListener.Engines, recovery: AudioRecovery = .reopen) throws {
        self.room = room
        let (reports, continuation) = AsyncStream<RoomEvent>.makeStream()
        (self.reports, self.continuation) = (reports, continuation)
        let ownSound = OwnSound()
        let device = AudioDevice.virtual(room.card)
        let assistant = ListenAllDay(
            listener: MicrophoneListener(device: device, engines: engines, ownSound: ownSound, recovery: recovery),
            speaker: SynthesizerSpeechSpeaker(
                synthesizer: try FliteSynthesizer(), device: device, ownSound: ownSound),
            earcons: DeviceEarconPlayer(device: device, ownSound: ownSound),
            answerQuestion: AnswerQuestion(
                assistant: StateKnowledgeBase(), conversations: InMemoryConversationRepository(),
                wording: { _ in "I can only provide information about US states." }))
        task = Task { try await assistant { continuation.yield($0) } }
    }

    /// All reports that were read so far, without levels.
    package var events: [RoomEvent] { seen.withLock { $0 } }

    /// Reads reports up to the next one that `matches`.
    package func next(_ matches: (RoomEvent) -> Bool) async {
        for await event in reports {
            if case .level = event {} else { seen.withLock { $0.append(event) } }
            if matches(event) { return }
        }
    }

    package func next(_ phase: VoiceLoop.Phase) async {
        await next { if case .phase(phase) = $0 { true } else { false } }
    }

    /// Waits until the assistant answers, or gives up, so that a failing test does not hang.
    package func nextAnswerOrIdle() async {
        await next {
            switch $0 {
            case .phase(.speaking), .phase(.idle): true
            default: false
            }
        }
    }

    /// Waits until the assistant listens, or has given up.
    package func nextListeningOrIdle() async {
        if case .phase(.idle)? = events.last { return }
        await next {
            switch $0 {
            case .phase(.listening), .phase(.idle): true
            default: false
            }
        }
    }

    /// Waits for `count` reports of the level, a tenth of a second each.
    package func listen(tenths count: Int) async {
        for _ in 0..<count { await next { if case .level = $0 { true } else { false } } }
    }

    package func stop() async {
        task.cancel()
        _ = await task.result
    }
}

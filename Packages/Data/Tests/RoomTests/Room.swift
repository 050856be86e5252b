// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
import Domain
import DomainTestSupport
import Foundation
import Speech
import Synchronization
import VoiceActivity

/// A person in a room with a loudspeaker and a microphone, which hears both.
final class Room: Sendable {
    let card: VirtualCard
    private let said: Said

    /// The microphone hears the loudspeaker 6 dB down after 3 ms, with a few reflections, and the person over it.
    init() throws {
        var response = [Float](repeating: 0, count: 1200)
        for (delay, gain) in [(48, 0.5), (171, 0.2), (402, -0.12), (703, 0.07), (1150, -0.03)] {
            response[delay] = Float(gain)
        }
        let said = Said()
        card = try VirtualCard(capture: .room(response) { said.sample(at: $0) }, playback: .memory)
        self.said = said
    }

    /// The person speaks from now on.
    func say(_ text: String, voice: FliteSynthesizer.Voice = .slt) async throws {
        var samples: [Float] = []
        for try await buffer in try FliteSynthesizer(voice: voice).synthesize(text) { samples += buffer.samples }
        said.begin(samples)
    }

    private final class Said: Sendable {
        private let state = Mutex<(samples: [Float], start: Int?)>(([], nil))

        func begin(_ samples: [Float]) { state.withLock { $0 = (samples, nil) } }

        func sample(at frame: Int) -> Float {
            state.withLock { state in
                let start = state.start ?? frame
                state.start = start
                let index = frame - start
                // The noise of a quiet room, a few units of the last bit.
                let noise = Float((frame &* 1_103_515_245 &+ 12_345) >> 16 & 15) / 32_768 / 2
                return noise + (index < state.samples.count ? state.samples[index] : 0)
            }
        }
    }
}

/// An assistant in a room, and what it reports.
final class RoomAssistant: Sendable {
    let room: Room
    private let reports: AsyncStream<AssistantEvent>
    private let continuation: AsyncStream<AssistantEvent>.Continuation
    private let seen = Mutex<[AssistantEvent]>([])
    private let task: Task<Void, any Error>

    init(_ room: Room, engines: MicrophoneEar.Engines, recovery: AudioRecovery = .reopen) throws {
        self.room = room
        let (reports, continuation) = AsyncStream<AssistantEvent>.makeStream()
        (self.reports, self.continuation) = (reports, continuation)
        let ownSound = OwnSound()
        let device = AudioDevice.virtual(room.card)
        let assistant = ListenAllDay(
            ear: MicrophoneEar(device: device, engines: engines, ownSound: ownSound, recovery: recovery),
            speaker: SynthesizerSpeechSpeaker(
                synthesizer: try FliteSynthesizer(), device: device, ownSound: ownSound),
            earcons: DeviceEarconPlayer(device: device, ownSound: ownSound),
            answerQuestion: AnswerQuestion(
                answerer: StateKnowledgeBase(), conversations: InMemoryConversationRepository()))
        task = Task { try await assistant { continuation.yield($0) } }
    }

    /// Everything reported and looked at so far, levels aside.
    var events: [AssistantEvent] { seen.withLock { $0 } }

    /// Waits for the next event that `matches`, over those before it.
    func next(_ matches: (AssistantEvent) -> Bool) async {
        for await event in reports {
            if case .level = event {} else { seen.withLock { $0.append(event) } }
            if matches(event) { return }
        }
    }

    func next(_ phase: VoiceLoop.Phase) async {
        await next { if case .phase(phase) = $0 { true } else { false } }
    }

    /// Waits until it answers, or gives up: a test that fails is not to hang.
    func nextAnswerOrIdle() async {
        await next {
            switch $0 {
            case .phase(.speaking), .phase(.idle): true
            default: false
            }
        }
    }

    /// Waits until it listens, or has given up.
    func nextListeningOrIdle() async {
        if case .phase(.idle)? = events.last { return }
        await next {
            switch $0 {
            case .phase(.listening), .phase(.idle): true
            default: false
            }
        }
    }

    /// Waits for `count` reports of the level, a tenth of a second each.
    func listen(tenths count: Int) async {
        for _ in 0..<count { await next { if case .level = $0 { true } else { false } } }
    }

    func stop() async {
        task.cancel()
        _ = await task.result
    }
}

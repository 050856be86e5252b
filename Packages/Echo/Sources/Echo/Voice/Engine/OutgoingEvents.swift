// SPDX-License-Identifier: MIT

import Concurrency

/// The queue of events for one session: limits the time that the connection may take, and the sound that may wait.
final class OutgoingEvents: Sendable {
    /// The limit of waiting sound from the microphone, in bytes: almost three minutes of it.
    static let maximumSound = 8 << 20
    /// The rate in bytes a second at which the connection must accept a large event to count as alive.
    private static let slowest = 65_536
    /// Pieces from the microphone are smaller than this; larger ones repeat earlier sound, and are not counted.
    private static let largestPiece = 32_768

    private struct State {
        /// The size of each waiting event in bytes; the first is being sent.
        var sizes: ArraySlice<Int> = []
        var sound = 0
        /// The time at which the connection last accepted something, or the first event began to wait.
        var progress = Duration.zero
        var isEnded = false
    }

    private let patience: Duration
    /// For one consumer.
    let events: AsyncStream<ClientEvent>
    private let continuation: AsyncStream<ClientEvent>.Continuation
    private let state = Guarded(State())

    /// - Parameter patience: The time for which the connection may accept nothing while events wait.
    init(patience: Duration = VoiceConfiguration.Limits().sending) {
        self.patience = patience
        (events, continuation) = AsyncStream.makeStream()
    }

    /// Adds an event.
    ///
    /// - Returns: False if too much sound waits.
    func add(_ event: ClientEvent, at now: Duration) -> Bool {
        let size = event.detail.byteCount
        let isTaken = state.withLock { state in
            guard !state.isEnded else { return true }
            if state.sizes.isEmpty { state.progress = now }
            let sound = Self.counted(size)
            guard state.sound + sound <= Self.maximumSound else { return false }
            state.sizes.append(size)
            state.sound += sound
            return true
        }
        if isTaken { continuation.yield(event) }
        return isTaken
    }

    /// Removes the first event, which was sent.
    func sent(at now: Duration) {
        state.withLock { state in
            guard let size = state.sizes.popFirst() else { return }
            state.sound -= Self.counted(size)
            state.progress = now
        }
    }

    /// The time at which the connection counts as failed, unless it accepts something before; `nil` while nothing
    /// waits.
    var deadline: Duration? {
        state.withLock { state in
            state.sizes.first.map { state.progress + patience + .seconds($0 / Self.slowest) }
        }
    }

    /// Drops the waiting events and ends the stream.
    func end() {
        state.withLock { state in
            state.isEnded = true
            state.sizes = []
        }
        continuation.finish()
    }

    private static func counted(_ size: Int) -> Int { size <= largestPiece ? size : 0 }
}

extension ClientEvent.Detail {
    /// The approximate size in bytes.
    fileprivate var byteCount: Int {
        switch self {
        case .inputAudioAppend(let bytes): bytes.count
        case .itemCreate(.message(let message), _):
            message.content.reduce(256) { sum, part in
                let size = if case .inputAudio(let audio?, _) = part { audio.count } else { part.text?.utf8.count ?? 0 }
                return sum + size
            }
        default: 256
        }
    }
}

/// An effect of a voice conversation that may wait for other code: performed in order, and apart from the loop, so that
/// a slow handler delays no sound.
enum VoiceEffect: Sendable {
    case messages([Transcript.Change])
    case emit(EchoEvent)
    /// A command is done.
    case done(Int, VoiceFailure?)
    /// Report that all effects before are done.
    case reached(Promise<Void>)
}

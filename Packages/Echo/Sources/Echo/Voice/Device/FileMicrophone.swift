// SPDX-License-Identifier: MIT

internal import AudioKitLinux
import Concurrency

/// A sound file as a virtual card's microphone, then quiet noise without end.
final class FileMicrophone: Sendable {
    fileprivate struct State {
        var reader: SoundFileReader?
        /// What was read and not given out.
        var ready: [Float] = []
        var next = 0
        var given = 0
        var noise = ComfortNoise()
        var failure: AudioError?
    }

    private let state: Guarded<State>

    /// Opens the file. Throws what `SoundFileReader` throws.
    init(path: String) throws(AudioError) {
        state = Guarded(State(reader: try SoundFileReader(path: path)))
    }

    /// The next sample.
    func sample() -> Float {
        state.withLock { state in
            if state.next == state.ready.count { state.read() }
            guard state.next < state.ready.count else { return state.noise.next() }
            defer {
                state.next += 1
                state.given += 1
            }
            return state.ready[state.next]
        }
    }

    /// How many frames the file had, once they are all given out. Throws what went wrong while it was read.
    func end() throws(AudioError) -> Int? {
        let (end, failure) = state.withLock { state in
            (state.reader == nil && state.next == state.ready.count ? state.given : nil, state.failure)
        }
        if let failure { throw failure }
        return end
    }
}

extension FileMicrophone.State {
    fileprivate mutating func read() {
        ready = []
        next = 0
        do throws(AudioError) {
            ready = try reader?.readConverted(to: .voice)?.samples ?? []
        } catch { failure = error }
        if ready.isEmpty { reader = nil }
    }
}

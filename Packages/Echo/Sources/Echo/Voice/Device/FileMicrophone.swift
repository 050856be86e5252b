// SPDX-License-Identifier: MIT

internal import AudioKitLinux
import Concurrency

/// A sound file as a virtual card's microphone, then endless quiet noise.
final class FileMicrophone: Sendable {
    fileprivate struct State {
        var reader: SoundFileReader?
        /// Samples that were read and not returned yet.
        var ready: [Float] = []
        var next = 0
        var given = 0
        var noise = ComfortNoise()
        var failure: AudioError?
    }

    private let state: Guarded<State>

    /// Opens the file. Throws the errors of `SoundFileReader`.
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

    /// The file's number of frames, once all were returned; nil before. Throws the error of reading the file.
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

// SPDX-License-Identifier: MIT

/// Where a recording goes: a sound file, or anything else that takes sound piece by piece.
public protocol SoundDestination {
    /// Appends a buffer of the recording's format, and returns when it was taken.
    func write(_ buffer: AudioBuffer) async throws(AudioError)

    /// Completes what was written; called once, at the end, also after `write` has failed.
    func close() async throws(AudioError)
}

extension SoundFileWriter: SoundDestination {}

/// Sound to play, from a file or from anywhere else.
public protocol SoundSource {
    /// The rate and channels that it has itself.
    var format: AudioFormat { get }

    /// How many frames there are.
    var frameCount: Int { get }

    /// The next frames in another format, nil at the end; every buffer but the last has exactly `limit` frames.
    func readConverted(to target: AudioFormat, frames limit: Int) async throws(AudioError) -> AudioBuffer?
}

extension SoundFileReader: SoundSource {}

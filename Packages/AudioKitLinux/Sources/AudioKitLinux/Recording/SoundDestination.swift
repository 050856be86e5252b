// SPDX-License-Identifier: MIT

/// The destination of a recording: a sound file, or any other consumer of buffers.
public protocol SoundDestination {
    /// Appends a buffer of the recording's format, and returns once it was taken.
    func write(_ buffer: AudioBuffer) async throws(AudioError)

    /// Completes the destination; called once, at the end, also after `write` has failed.
    func close() async throws(AudioError)
}

extension SoundFileWriter: SoundDestination {}

/// Sound to play, from a file or from any other source.
public protocol SoundSource {
    /// The rate and channels of the source itself.
    var format: AudioFormat { get }

    /// The number of frames.
    var frameCount: Int { get }

    /// The next frames in another format, nil at the end; every buffer but the last has exactly `limit` frames.
    func readConverted(to target: AudioFormat, frames limit: Int) async throws(AudioError) -> AudioBuffer?
}

extension SoundFileReader: SoundSource {}

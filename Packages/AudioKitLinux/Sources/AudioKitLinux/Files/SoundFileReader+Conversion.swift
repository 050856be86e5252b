// SPDX-License-Identifier: MIT

/// A reader's state between two buffers of converted sound.
struct SoundFileConversion {
    let format: AudioFormat
    let resampler: Resampler?
    var ready: [Float] = []
    var isAtEnd = false
}

extension SoundFileReader {
    /// The next frames in another format: channels by `AudioBuffer.withChannels`, rate by a `Resampler`. Nil at the
    /// end. Every buffer but the last has exactly `limit` frames. Streams: memory stays flat.
    ///
    /// Throws `io`, `formatNotSupported`; also if `target` changes in the middle of a file, or `read` was used.
    public func readConverted(to target: AudioFormat, frames limit: Int = 4096) throws(AudioError) -> AudioBuffer? {
        guard limit > 0 else { return nil }
        if conversion == nil { conversion = try makeConversion(to: target) }
        guard var current = conversion, current.format == target else {
            throw AudioError(.formatNotSupported, "\(path) is already being read in another format; open it again.")
        }
        // Moved out while it changes, so that its array is not copied.
        conversion = nil
        defer { conversion = current }
        let wanted = limit * target.channels
        // About the requested number: a file of a few frames a second becomes thousands of times as long.
        let share = limit.multipliedReportingOverflow(by: format.sampleRate)
        let portion = share.overflow ? 4_096 : max(1, min(4_096, share.partialValue / target.sampleRate))
        while current.ready.count < wanted, !current.isAtEnd {
            if let piece = try read(frames: portion) {
                let mixed = piece.withChannels(target.channels).samples
                current.ready += current.resampler?.process(mixed) ?? mixed
            } else {
                current.ready += current.resampler?.finish() ?? []
                current.isAtEnd = true
            }
        }
        guard !current.ready.isEmpty else { return nil }
        let count = min(wanted, current.ready.count)
        let piece = AudioBuffer(samples: Array(current.ready.prefix(count)), format: target)
        current.ready.removeFirst(count)
        return piece
    }

    /// The whole rest of the file, converted, if it is no longer than `maximum`.
    ///
    /// Throws `tooLong` as soon as the limit is passed, so a huge file does not fill the memory.
    public func readAll(as target: AudioFormat, maximum: Duration = .seconds(600)) throws(AudioError) -> AudioBuffer {
        var samples: [Float] = []
        let limit = target.frames(in: maximum) * target.channels
        while let piece = try readConverted(to: target, frames: 16_384) {
            samples += piece.samples
            guard samples.count <= limit else {
                throw AudioError(
                    .tooLong,
                    "\(path) is longer than \(maximum.components.seconds) seconds. Split it into shorter files.")
            }
        }
        return AudioBuffer(samples: samples, format: target)
    }

    private func makeConversion(to target: AudioFormat) throws(AudioError) -> SoundFileConversion {
        guard target.isPlausible else {
            throw AudioError(.formatNotSupported, "Sound cannot be converted to \(target).")
        }
        let resampler =
            target.sampleRate == format.sampleRate
            ? nil : try Resampler(from: format.sampleRate, to: target.sampleRate, channels: target.channels)
        return SoundFileConversion(format: target, resampler: resampler)
    }
}

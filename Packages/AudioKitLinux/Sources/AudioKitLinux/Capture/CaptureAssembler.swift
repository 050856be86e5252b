// SPDX-License-Identifier: MIT

/// Makes captured buffers in the stream's format from the device's sound: mixes the channels, resamples, and cuts into
/// periods, or into the several that arrived at once. Runs on the delivery thread.
///
/// A gap in the positions ends the current buffer and begins anew, so that no filter smears sound over it.
struct CaptureAssembler {
    struct Piece {
        var samples: [Float]
        /// The first frame's number, in the stream's frames.
        var position: Int
        /// The time when the last frame was at the microphone: monotonic nanoseconds.
        var time: Int64
    }

    let device: AudioFormat
    let stream: AudioFormat
    /// Frames of the stream's format in a buffer.
    let periodFrames: Int
    /// Device frames per second of real time.
    let frameRate: Double

    private let resampler: Resampler?
    /// The expected position of the device's next frame.
    private var expected: Int?
    /// The stream's number of the next frame to be returned.
    private var position = 0
    private var waiting: [Float] = []
    /// The end of the last sound that arrived: device frame and time.
    private var anchor: (position: Int, time: Int64) = (0, 0)

    init(device: AudioFormat, stream: AudioFormat, periodFrames: Int, frameRate: Double) throws(AudioError) {
        self.device = device
        self.stream = stream
        self.periodFrames = periodFrames
        self.frameRate = frameRate
        resampler =
            device.sampleRate == stream.sampleRate
            ? nil : try Resampler(from: device.sampleRate, to: stream.sampleRate, channels: stream.channels)
    }

    /// Takes the sound of one mark; returns the complete buffers.
    mutating func add(_ samples: [Float], _ mark: CaptureMark) -> [Piece] {
        var pieces: [Piece] = []
        if let expected, expected != mark.position { pieces = finish() }
        if expected == nil { position = streamPosition(mark.position) }
        expected = mark.position + mark.frames
        anchor = (mark.position + mark.frames, mark.time)
        let mixed = AudioBuffer(samples: samples, format: device).withChannels(stream.channels).samples
        guard let resampler else {
            defer { position += mark.frames }
            return pieces + [Piece(samples: mixed, position: position, time: mark.time)]
        }
        waiting += resampler.process(mixed)
        let periods = Double(mark.frames) / Double(device.sampleRate) * Double(stream.sampleRate) / Double(periodFrames)
        let piece = periodFrames * max(1, Int(periods.rounded()))
        while waiting.count >= piece * stream.channels { pieces.append(cut(piece)) }
        return pieces
    }

    /// The rest of the sound, before a gap or the end.
    mutating func finish() -> [Piece] {
        defer { expected = nil }
        guard let resampler, expected != nil else { return [] }
        waiting += resampler.finish()
        var pieces: [Piece] = []
        while !waiting.isEmpty { pieces.append(cut(min(periodFrames, waiting.count / stream.channels))) }
        return pieces
    }

    private mutating func cut(_ frames: Int) -> Piece {
        let samples = Array(waiting.prefix(frames * stream.channels))
        waiting.removeFirst(samples.count)
        position += frames
        let last = Double(position) * Double(device.sampleRate) / Double(stream.sampleRate)
        let time = anchor.time - Int64((Double(anchor.position) - last) / frameRate * 1e9)
        return Piece(samples: samples, position: position - frames, time: time)
    }

    private func streamPosition(_ frame: Int) -> Int {
        guard device.sampleRate != stream.sampleRate else { return frame }
        return Int((Double(frame) * Double(stream.sampleRate) / Double(device.sampleRate)).rounded())
    }
}

// SPDX-License-Identifier: MIT

/// Finds out what to announce: pairs the sound that went to the ring with what the playback thread tells of its way
/// through the device. Pure bookkeeping in frames of the stream.
struct PlaybackAnnouncer {
    /// Where the device stood at one moment.
    struct Place {
        /// Frames before this one were heard.
        var heard: Int
        /// Frames before this one are with the device.
        var written: Int
        /// The first frame since the device last started.
        var run: Int
        /// When `heard` was true.
        var instant: ContinuousClock.Instant
    }

    let format: AudioFormat
    /// What is on its way: dropped when heard, since until then a device that stops makes it play again.
    private var pieces: [(position: Int, samples: [Float])] = []
    /// Frames before this one were announced.
    private var announced = 0
    private var run = 0
    private var news: [PlaybackAnnouncement] = []

    init(format: AudioFormat) { self.format = format }

    /// Sound that went to the ring; `position` is its first frame.
    mutating func took(_ samples: [Float], at position: Int) {
        if !samples.isEmpty { pieces.append((position, samples)) }
    }

    /// The device went on. `rate`: frames per second.
    mutating func advanced(to place: Place, rate: Double) {
        if place.run != run {
            // It was started anew, and plays again what it had not played before.
            run = place.run
            stopped(at: place.run, place.instant)
        }
        pieces.removeAll { $0.position + $0.samples.count / format.channels <= min(place.heard, announced) }
        guard place.written > announced else { return }
        for piece in pieces {
            let end = piece.position + piece.samples.count / format.channels
            let part = max(piece.position, announced)..<max(piece.position, announced, min(end, place.written))
            guard !part.isEmpty else { continue }
            let first = (part.lowerBound - piece.position) * format.channels
            let samples = Array(piece.samples[first..<first + part.count * format.channels])
            let ahead = Double(part.lowerBound - place.heard) / rate
            news.append(
                .playing(
                    PlayedPiece(
                        buffer: AudioBuffer(samples: samples, format: format), position: part.lowerBound,
                        audibleAt: place.instant + .nanoseconds(Int64(ahead * 1e9)))))
        }
        announced = place.written
    }

    /// The device stopped when it had played what is before `frame`: the rest comes at another time.
    mutating func stopped(at frame: Int, _ instant: ContinuousClock.Instant) {
        guard frame < announced else { return }
        announced = frame
        news.append(.flushed(at: instant))
    }

    /// What is before `frame` and was not heard by `instant` never will be.
    mutating func dropped(upTo frame: Int, silentAt instant: ContinuousClock.Instant) {
        pieces.removeAll { $0.position + $0.samples.count / format.channels <= frame }
        announced = max(announced, frame)
        news.append(.flushed(at: instant))
    }

    /// Takes out what there is to tell.
    mutating func takeNews() -> [PlaybackAnnouncement] {
        defer { news = [] }
        return news
    }
}

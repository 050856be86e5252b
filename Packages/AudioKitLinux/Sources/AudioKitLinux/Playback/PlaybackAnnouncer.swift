// SPDX-License-Identifier: MIT

/// Determines the announcements: pairs the sound in the ring with the playback thread's reports of its way through the
/// device. Pure bookkeeping in frames of the stream.
struct PlaybackAnnouncer {
    /// The device's position at one moment.
    struct Place {
        /// Frames before this one were heard.
        var heard: Int
        /// Frames before this one are with the device.
        var written: Int
        /// The first frame since the device last started.
        var run: Int
        /// The instant at which `heard` was measured.
        var instant: ContinuousClock.Instant
    }

    let format: AudioFormat
    /// Sound on its way: dropped once heard, because a device that stops before plays it again.
    private var pieces: [(position: Int, samples: [Float])] = []
    /// Frames before this one were announced.
    private var announced = 0
    private var run = 0
    private var news: [PlaybackAnnouncement] = []

    init(format: AudioFormat) { self.format = format }

    /// Notes sound that was written to the ring; `position` is its first frame.
    mutating func took(_ samples: [Float], at position: Int) {
        if !samples.isEmpty { pieces.append((position, samples)) }
    }

    /// Notes the device's progress. `rate`: frames per second.
    mutating func advanced(to place: Place, rate: Double) {
        if place.run != run {
            // It was started anew, and plays again the frames that it had not played before.
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

    /// Notes that the device stopped after playing the frames before `frame`: the rest is heard at another time.
    mutating func stopped(at frame: Int, _ instant: ContinuousClock.Instant) {
        guard frame < announced else { return }
        announced = frame
        news.append(.flushed(at: instant))
    }

    /// Notes that frames before `frame` that were not heard by `instant` are never heard.
    mutating func dropped(upTo frame: Int, silentAt instant: ContinuousClock.Instant) {
        pieces.removeAll { $0.position + $0.samples.count / format.channels <= frame }
        announced = max(announced, frame)
        news.append(.flushed(at: instant))
    }

    /// Removes and returns the new announcements.
    mutating func takeNews() -> [PlaybackAnnouncement] {
        defer { news = [] }
        return news
    }
}

// SPDX-License-Identifier: MIT

/// Fills the ring from the queue: mixes the channels and resamples. Always under the queue's lock, never on the
/// playback thread.
struct PlaybackFeed {
    private(set) var link: PlaybackLink?
    private(set) var mapper = PlaybackMapper()
    private let stream: AudioFormat
    private var resampler: Resampler?
    /// Converted frames that found no room yet.
    private var waiting: [Float] = []
    /// True if the resampler holds back the end of what came in.
    private var holdsBack = false

    init(stream: AudioFormat) { self.stream = stream }

    /// Another opening of a device: `frame` is the next one of the stream for its ring.
    mutating func attach(_ link: PlaybackLink, at frame: Int) throws(AudioError) {
        self.link = link
        waiting = []
        holdsBack = false
        resampler =
            link.format.sampleRate == stream.sampleRate
            ? nil
            : try Resampler(from: stream.sampleRate, to: link.format.sampleRate, channels: link.format.channels)
        begin(at: frame)
    }

    /// Forgets what is on its way; the next frame is `frame`.
    mutating func reset(at frame: Int) {
        waiting = []
        if holdsBack { _ = resampler?.finish() }
        holdsBack = false
        begin(at: frame)
    }

    /// Moves frames on until the queue is empty or the ring full. Returns whether the ring got some, or a command.
    mutating func pump(_ state: inout PlaybackState, _ announcer: inout PlaybackAnnouncer) -> Bool {
        guard let link else { return false }
        let before = link.ring.written
        var isNews = false
        let chunk = max(64, stream.sampleRate / 50)
        while put(link) {
            let position = state.taken
            let samples = state.next(chunk)
            guard !samples.isEmpty else { break }
            announcer.took(samples, at: position)
            let buffer = AudioBuffer(samples: samples, format: stream).withChannels(link.format.channels)
            if let resampler {
                waiting = resampler.process(buffer.samples)
                holdsBack = true
            } else {
                waiting = buffer.samples
            }
        }
        if state.queued == 0, waiting.isEmpty {
            // The end of the sound, or of what there is so far: what the filter holds back would come too late.
            if holdsBack, state.wantsDrain || link.ring.count <= link.periodFrames {
                waiting = resampler?.finish() ?? []
                holdsBack = false
            }
            if put(link) {
                if !holdsBack { begin(at: state.taken) }
                if state.wantsDrain, !holdsBack { isNews = link.askForDrain() }
            }
        }
        return link.ring.written != before || isNews
    }

    /// Puts what waits into the ring; false when not all of it found room.
    private mutating func put(_ link: PlaybackLink) -> Bool {
        guard !waiting.isEmpty else { return true }
        let frames = min(waiting.count / link.format.channels, link.ring.room)
        waiting.withUnsafeBufferPointer { samples in
            if let base = samples.baseAddress { link.ring.write(base, frames: frames) }
        }
        waiting.removeFirst(frames * link.format.channels)
        return waiting.isEmpty
    }

    private mutating func begin(at frame: Int) {
        guard let link else { return }
        mapper.begin(
            ring: link.ring.written, stream: frame,
            ratio: Double(stream.sampleRate) / Double(link.format.sampleRate))
    }
}

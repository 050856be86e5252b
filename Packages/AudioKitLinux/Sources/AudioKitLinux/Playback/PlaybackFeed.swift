// SPDX-License-Identifier: MIT

/// Fills the ring from the queue: mixes the channels and resamples. Always runs under the queue's lock, never on the
/// playback thread.
struct PlaybackFeed {
    private(set) var link: PlaybackLink?
    private(set) var mapper = PlaybackMapper()
    private let stream: AudioFormat
    private var resampler: Resampler?
    /// Converted frames that did not fit into the ring yet.
    private var waiting: [Float] = []
    /// True if the resampler holds back the end of its input.
    private var holdsBack = false

    init(stream: AudioFormat) { self.stream = stream }

    /// Attaches another opening of a device: `frame` is the stream's next one for its ring.
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

    /// Drops the sound on its way; the next frame is `frame`.
    mutating func reset(at frame: Int) {
        waiting = []
        if holdsBack { _ = resampler?.finish() }
        holdsBack = false
        begin(at: frame)
    }

    /// Moves frames until the queue is empty or the ring full. Returns true if the ring got frames or a command.
    mutating func pump(_ state: inout PlaybackState, _ announcer: inout PlaybackAnnouncer) -> Bool {
        guard let link else { return false }
        let before = link.ring.written
        var hasChanges = false
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
            // The end of the sound, at least so far: the frames that the filter holds back would arrive too late.
            if holdsBack, state.wantsDrain || link.ring.count <= link.periodFrames {
                waiting = resampler?.finish() ?? []
                holdsBack = false
            }
            if put(link) {
                if !holdsBack { begin(at: state.taken) }
                if state.wantsDrain, !holdsBack { hasChanges = link.askForDrain() }
            }
        }
        return link.ring.written != before || hasChanges
    }

    /// Writes the waiting frames into the ring; false if some did not fit.
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

// SPDX-License-Identifier: MIT

/// The last frames that were given to the device: those still in its buffer when it failed are played again, and
/// flushed ones are faded out. Belongs to the playback thread; allocates only in `init`.
final class PlaybackHistory {
    private let storage: UnsafeMutablePointer<Float>
    private let capacity: Int
    private let channels: Int
    /// The number of the frame after the last recorded one.
    private(set) var end: Int

    init(frames: Int, channels: Int, startingAt index: Int) {
        capacity = max(1, frames)
        self.channels = channels
        end = index
        storage = .allocate(capacity: capacity * channels)
        storage.initialize(repeating: 0, count: capacity * channels)
    }

    deinit { storage.deallocate() }

    /// Notes `frames` that follow the last ones.
    func append(_ source: UnsafePointer<Float>, frames: Int) {
        var done = 0
        while done < frames {
            let place = slot(end)
            let count = min(frames - done, capacity - place)
            (storage + place * channels).update(from: source + done * channels, count: count * channels)
            end += count
            done += count
        }
    }

    /// Clears the history; the next frame is number `index`.
    func restart(at index: Int) { end = index }

    /// A contiguous piece that begins with frame `index`, at most `frames` long.
    func piece(from index: Int, frames: Int) -> (samples: UnsafeMutablePointer<Float>, frames: Int)? {
        guard index < end, end - index <= capacity else { return nil }
        let place = slot(index)
        return (storage + place * channels, min(frames, end - index, capacity - place))
    }

    /// Fades the `frames` from `index` on to silence.
    func fadeOut(from index: Int, frames: Int) {
        for offset in 0..<min(frames, end - index) {
            // Half a cosine wave would be smoother; over 5 ms the difference to a line is inaudible.
            let gain = 1 - Float(offset + 1) / Float(frames)
            let sample = storage + slot(index + offset) * channels
            for channel in 0..<channels { sample[channel] *= gain }
        }
    }

    private func slot(_ index: Int) -> Int {
        let place = index % capacity
        return place < 0 ? place + capacity : place
    }
}

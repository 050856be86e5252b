// SPDX-License-Identifier: MIT

/// Numbers captured frames so that lost ones leave gaps of their own length. Pure; positions are in frames of the open
/// device.
struct CaptureTimeline {
    /// The next frame's number.
    private(set) var position = 0
    /// Frames lost since the stream began, in frames of the present device.
    private(set) var lost = 0

    private var rate: Double
    /// The last frame with a time stamp, and the time when it was at the microphone.
    private var anchor: (position: Int, time: Int64)?
    /// A virtual card's own frame number when `position` was 0.
    private var tapeOrigin: Int?

    /// `rate` in frames per second of real time.
    init(rate: Double) { self.rate = rate }

    /// Notes `frames` that were read, the last of them at the microphone at `time`.
    mutating func advance(_ frames: Int, lastAt time: Int64) {
        position += frames
        anchor = (position, time)
    }

    /// Notes that the device was started at `time`: the frames since the last one are lost. A virtual card reports its
    /// exact tape position; hardware is estimated by its time stamps. Returns the number of lost frames.
    @discardableResult
    mutating func started(at time: Int64, tape: Int?) -> Int {
        var next = position
        if let tape {
            let origin = tapeOrigin ?? tape - position
            tapeOrigin = origin
            next = tape - origin
        } else if let anchor {
            next = anchor.position + Int((Double(time - anchor.time) * 1e-9 * rate).rounded())
        }
        let gap = max(0, next - position)
        position += gap
        lost += gap
        return gap
    }

    /// Notes that another device takes over, with `rate` frames per second of real time and `ratio` times as many
    /// frames as the last one.
    mutating func changed(rate: Double, ratio: Double) {
        self.rate = rate
        guard ratio != 1 else { return }
        func scaled(_ value: Int) -> Int { Int((Double(value) * ratio).rounded()) }
        position = scaled(position)
        lost = scaled(lost)
        anchor = anchor.map { (scaled($0.position), $0.time) }
        tapeOrigin = nil
    }
}

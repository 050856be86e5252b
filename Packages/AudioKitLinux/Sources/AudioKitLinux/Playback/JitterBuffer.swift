// SPDX-License-Identifier: MIT

/// Evens out sound that arrives over a network: packets arrive in any order and at uneven times, and leave without a
/// gap as long as the buffer is deep enough. Pure: the caller passes the time of arrival.
///
/// The depth follows the measured interarrival jitter (RFC 3550 §6.4.1): four times that, within limits. It changes
/// only while nothing plays, so that speech is never stretched. Missing sound is concealed: the last sound fades to
/// silence within 10 ms, and the next one fades in within 2 ms.
public struct JitterBuffer: Sendable {
    /// Counts since the start.
    public struct Statistics: Sendable, Hashable {
        /// Packets that arrived after their time, whole or in part.
        public var late = 0
        /// Packets that arrived too far ahead of their time to have room.
        public var early = 0
        /// Packets that arrived twice.
        public var doubled = 0
        /// Frames of concealment for packets that had not arrived.
        public var concealed = 0
    }

    /// The format of packets and output.
    public let format: AudioFormat
    /// The least and the most frames that wait.
    public let limits: ClosedRange<Int>
    /// The counts so far.
    public private(set) var statistics = Statistics()
    /// The measured jitter, in frames.
    public private(set) var jitter = 0.0

    private var packets: [Int: [Float]] = [:]
    /// The next frame to be returned; nil before the first packet.
    private var next: Int?
    private var isFilling = true
    private var transit: Double?
    private var tail: [Float] = []
    /// Frames concealed in a row.
    private var gap = 0

    /// Makes a buffer that holds between `least` and `most`.
    public init(format: AudioFormat, least: Duration = .milliseconds(20), most: Duration = .milliseconds(500)) {
        self.format = format
        let low = max(1, format.frames(in: least))
        limits = low...max(low, format.frames(in: most))
    }

    /// The number of frames that wait before the first one leaves.
    public var depth: Int { max(limits.lowerBound, Int(min(4 * jitter, Double(limits.upperBound)))) }

    /// Frames that wait, counted to the end of the last packet.
    public var waiting: Int {
        guard let next, let last = packets.keys.max() else { return 0 }
        return max(0, last + frames(packets[last]) - next)
    }

    /// Takes a packet that arrived at `time`; `frame` is the number of its first frame in the sender's stream. One beyond
    /// ±2⁶¹ counts as ``Statistics/early``.
    public mutating func insert(_ samples: [Float], frame: Int, at time: Duration) {
        let count = samples.count / format.channels
        guard count > 0 else { return }
        guard abs(Double(frame)) < 0x1p61 else {
            statistics.early += 1
            return
        }
        measure(frame, time)
        let start = next ?? frame
        // The first packets may arrive in the wrong order: until sound leaves, the earliest one leads.
        if isFilling, gap == 0, frame < start { next = frame } else { next = start }
        guard frame + count > next ?? frame else {
            statistics.late += 1
            return
        }
        guard frame + count - (next ?? frame) <= limits.upperBound + count else {
            statistics.early += 1
            return
        }
        guard packets[frame] == nil else {
            statistics.doubled += 1
            return
        }
        if frame < next ?? frame { statistics.late += 1 }
        packets[frame] = Array(samples.prefix(count * format.channels))
    }

    /// The next `count` frames, always that many: sound, concealment, or silence.
    public mutating func take(_ count: Int) -> [Float] {
        var output: [Float] = []
        output.reserveCapacity(count * format.channels)
        if isFilling, waiting >= depth { isFilling = false }
        while output.count < count * format.channels {
            let left = count - output.count / format.channels
            let piece = isFilling ? [] : sound(left)
            output += piece.isEmpty ? conceal(left) : piece
        }
        return output
    }

    private mutating func measure(_ frame: Int, _ time: Duration) {
        let now = time / .seconds(1) * Double(format.sampleRate) - Double(frame)
        if let transit { jitter += (abs(now - transit) - jitter) / 16 }
        transit = now
    }

    /// Buffered sound, at most `count` frames and within one packet.
    private mutating func sound(_ count: Int) -> [Float] {
        guard let next, let first = packets.keys.filter({ $0 <= next }).max() else { return [] }
        let samples = packets[first] ?? []
        let end = first + frames(samples)
        let taken = max(0, min(count, end - next))
        let from = (next - first) * format.channels
        var piece = taken > 0 ? Array(samples[from..<from + taken * format.channels]) : []
        self.next = next + taken
        if next + taken >= end { packets[first] = nil }
        guard taken > 0 else { return sound(count) }
        if gap > 0 { fadeIn(&piece) }
        gap = 0
        let memory = format.frames(in: .milliseconds(10)) * format.channels
        tail = Array((tail + piece).suffix(memory))
        return piece
    }

    private mutating func conceal(_ count: Int) -> [Float] {
        guard let next, !tail.isEmpty else { return [Float](repeating: 0, count: count * format.channels) }
        // Up to the next buffered packet; a gap that outlasts the buffer begins anew.
        let upcoming = packets.keys.filter { $0 > next }.min()
        let length = isFilling ? count : min(count, upcoming.map { $0 - next } ?? count)
        if upcoming == nil { isFilling = true }
        let channels = format.channels
        let memory = tail.count / channels
        var piece = [Float](repeating: 0, count: length * channels)
        for frame in 0..<length where gap + frame < memory {
            // Backwards from the last frame, so that it begins at the sound's last value.
            let source = memory - 1 - gap - frame
            let gain = 1 - Float(gap + frame + 1) / Float(memory)
            for channel in 0..<channels { piece[frame * channels + channel] = tail[source * channels + channel] * gain }
        }
        gap += length
        statistics.concealed += length
        if !isFilling || upcoming == nil { self.next = isFilling ? next : next + length }
        return piece
    }

    private func fadeIn(_ piece: inout [Float]) {
        let length = max(1, min(piece.count / format.channels, format.frames(in: .milliseconds(2))))
        for frame in 0..<length {
            for channel in 0..<format.channels {
                piece[frame * format.channels + channel] *= Float(frame + 1) / Float(length)
            }
        }
    }

    private func frames(_ samples: [Float]?) -> Int { (samples?.count ?? 0) / format.channels }
}

// SPDX-License-Identifier: MIT

/// A microphone and a loudspeaker in virtual time, microseconds of it. What is given is heard one after the other, in real
/// time, after the device's delay.
struct WorldDevice {
    /// Frames of an answer that were heard one after the other.
    struct Heard: Hashable {
        var answer: Int
        var from: Int
        var count: Int
        /// When the first and the last of them were heard.
        var since: Int
        var until: Int
    }

    private struct Span {
        /// 0 for silence.
        var answer: Int
        var offset: Int
        var count: Int
    }

    let delay: Int
    private var queue: ArraySlice<Span> = []
    private var queued = 0
    /// The time up to which it has played, or from which on it will.
    private var clock = 0
    private(set) var heardFrames = 0
    private(set) var isStopped = false
    /// Where each answer would go on, by what was given.
    private var given: [Int: Int] = [:]

    init(delay: Int) { self.delay = delay }

    var isSilent: Bool { queue.isEmpty }
    var unheard: Int { queued }

    /// - Parameter answers: How many answers there have been.
    /// - Returns: What is wrong with it.
    mutating func play(_ bytes: [UInt8], answers: Int, at now: Int) -> String? {
        var problem: String?
        if queue.isEmpty { clock = max(clock, now + delay) }
        for piece in WorldSound.pieces(bytes) {
            var span = Span(answer: 0, offset: 0, count: piece.count)
            if piece.mark > 0 {
                let number = answers - (answers % 7 + 8 - piece.mark) % 7
                guard number > 0 else {
                    problem = "sound of no answer"
                    continue
                }
                let next = given[number] ?? 0
                var offset = next - next % WorldSound.cycle + piece.offset
                if offset - next > WorldSound.cycle / 2 { offset -= WorldSound.cycle }
                if next - offset > WorldSound.cycle / 2 { offset += WorldSound.cycle }
                span = Span(answer: number, offset: max(offset, 0), count: piece.count)
                given[number] = span.offset + span.count
            }
            queue.append(span)
            queued += span.count
        }
        if queued > WorldSound.rate / 2 { problem = "the device has \(queued) frames ahead" }
        return problem
    }

    /// What was heard by now.
    mutating func advance(to now: Int) -> [Heard] {
        var heard: [Heard] = []
        guard !isStopped else { return heard }
        while let span = queue.first, clock < now {
            let frames = min((now - clock) * 24 / 1_000, span.count)
            guard frames > 0 else { break }
            let end = clock + frames * 1_000 / 24
            if span.answer > 0 {
                heard.append(Heard(answer: span.answer, from: span.offset, count: frames, since: clock, until: end))
            }
            heardFrames += frames
            queued -= frames
            clock = end
            if frames == span.count {
                queue.removeFirst()
            } else {
                queue[queue.startIndex].offset += frames
                queue[queue.startIndex].count -= frames
            }
        }
        return heard
    }

    /// Drops what was not heard.
    mutating func flush() {
        for span in queue.reversed() where span.answer > 0 { given[span.answer] = span.offset }
        queue = []
        queued = 0
    }

    /// The device goes away, or comes back: its time stands still meanwhile.
    mutating func stop(_ stops: Bool, at now: Int) {
        if isStopped, !stops { clock = max(clock, now) }
        isStopped = stops
    }
}

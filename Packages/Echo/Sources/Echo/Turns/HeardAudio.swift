// SPDX-License-Identifier: MIT

/// Counts the part of each answer's sound that was heard, by the clock of the device that plays it: a pure ledger.
///
/// The device's time is counted in frames that it has played since it was opened: what was written to it without what is
/// still on its way to the loudspeaker (ALSA's delay). So nothing depends on how long things seem to take here. All
/// frames are of one rate; where device and session differ, count in the session's.
///
/// What was heard to the end and is followed by something else that was heard is forgotten, so that the ledger stays small.
struct HeardAudio: Sendable {
    /// A part of an answer.
    struct Part: Sendable, Hashable {
        /// The item.
        var itemID: String
        /// The part's index in the item's content.
        var contentIndex: Int

        /// A part.
        init(itemID: String, contentIndex: Int = 0) {
            self.itemID = itemID
            self.contentIndex = contentIndex
        }
    }

    /// The message to the server when an answer is cut short.
    enum Cut: Sendable, Hashable {
        /// All received sound was heard.
        case nothing
        /// `conversation.item.truncate`: from 1 to the milliseconds that were received.
        case truncate(Part, audioEnd: Int)
        /// Less than a frame was heard: the item has to be deleted, since the API cannot truncate it to nothing.
        case delete(itemID: String)
    }

    /// Frames of a part that were written to the device one after the other.
    private struct Span: Sendable, Hashable {
        var part: Part
        /// The first frame's position in the part.
        var offset: Int
        /// The first frame's position in the device's time.
        var start: Int
        var count: Int

        var end: Int { start + count }
    }

    /// Frames a second.
    let rate: Int
    private var received: [Part: Int] = [:]
    private var spans: [Span] = []
    private var base: [Part: Int] = [:]
    /// The number of written frames that were heard.
    private(set) var played = 0

    /// A ledger for a device that has played nothing.
    ///
    /// - Parameter rate: Frames a second.
    init(rate: Int = 24_000) {
        precondition(rate > 0)
        self.rate = rate
    }

    /// The frames that were written to the device since it was opened.
    private(set) var written = 0

    /// Adds frames of a part that the server sent.
    mutating func receive(_ frames: Int, of part: Part) {
        received[part, default: 0] += max(frames, 0)
    }

    /// Adds frames of a part, beginning at `offset` in it, that were written to the device.
    mutating func wrote(_ frames: Int, of part: Part, from offset: Int) {
        guard frames > 0 else { return }
        if let last = spans.last, last.part == part, last.offset + last.count == offset {
            spans[spans.count - 1].count += frames
        } else {
            spans.append(Span(part: part, offset: offset, start: written, count: frames))
        }
        written += frames
    }

    /// Sets the device's delay in frames. A delay that grows does not take back frames that were heard.
    mutating func measured(delay: Int) {
        played = max(played, min(written - max(delay, 0), written))
        forget()
    }

    /// Removes the frames that the device dropped: written and not played. Writing continues from there.
    ///
    /// - Returns: The unheard frames, in order: the part, the first frame and the number.
    @discardableResult
    mutating func dropped() -> [(part: Part, offset: Int, count: Int)] {
        var unheard: [(part: Part, offset: Int, count: Int)] = []
        for span in spans {
            guard span.end > played else { continue }
            let skipped = max(played - span.start, 0)
            unheard.append((span.part, span.offset + skipped, span.count - skipped))
        }
        spans = spans.compactMap { span in
            guard span.start < played else { return nil }
            var span = span
            span.count = min(span.end, played) - span.start
            return span
        }
        written = played
        return unheard
    }

    /// The number of frames of a part that were heard from its beginning on.
    func heard(_ part: Part) -> Int {
        var end = base[part] ?? 0
        for span in spans where span.part == part && span.start < played {
            end = max(end, span.offset + min(span.end, played) - span.start)
        }
        return min(end, received[part] ?? 0)
    }

    /// The number of frames of a part that were received.
    func received(_ part: Part) -> Int { received[part] ?? 0 }

    /// The message to the server when that part is cut short now.
    ///
    /// - Parameter isWhole: False if the server may have sent more than was received.
    func cut(_ part: Part, isWhole: Bool = true) -> Cut {
        let all = received[part] ?? 0
        let frames = heard(part)
        let milliseconds = frames * 1_000 / rate
        if frames == 0 { return .delete(itemID: part.itemID) }
        if frames >= all, isWhole { return .nothing }
        return .truncate(part, audioEnd: max(milliseconds, 1))
    }

    /// Removes a part that is over and will not be asked for again.
    mutating func forget(_ part: Part) {
        received[part] = nil
        base[part] = nil
        spans.removeAll { $0.part == part && $0.end <= played }
    }

    /// Replaces spans that were played whole by their number of frames.
    private mutating func forget() {
        let count = spans.prefix { $0.end <= played }.count
        guard count > 0 else { return }
        for span in spans.prefix(count) {
            guard received[span.part] != nil else { continue }
            base[span.part] = max(base[span.part] ?? 0, span.offset + span.count)
        }
        spans.removeFirst(count)
    }
}

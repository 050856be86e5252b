// SPDX-License-Identifier: MIT

/// The sound of answers between the server and the loudspeaker: a pure state machine.
///
/// What is not heard yet stays here; the device gets no more than a short lead, so that it can be silent at once. A pause
/// takes back what the device has not played, and playback goes on at that very frame.
struct AnswerPlayback: Sendable {
    typealias Part = HeardAudio.Part

    /// Something to do with the device.
    enum Step: Sendable, Hashable {
        case play(Part, [UInt8])
        /// Answered by ``flushed(heard:at:)``.
        case flush
    }

    /// What was cut, and how much of it was heard, from 0 to 1.
    struct Cut: Sendable, Hashable {
        var part: Part
        var verdict: HeardAudio.Cut
        var share: Double
    }

    private struct Chunk: Sendable {
        var part: Part
        var offset: Int
        var count: Int
    }

    private static let bytesPerFrame = 2
    private let lead: Int
    private var ledger: HeardAudio
    private var sound: [Part: [UInt8]] = [:]
    /// Parts in the order in which they came.
    private var order: [Part] = []
    private var ended: Set<Part> = []
    private var queue: ArraySlice<Chunk> = []
    private var isFlushing = false
    private var isHeld = false
    private var cutting: [Part]?
    private var silentSince = Duration.zero
    private var finishedCuts: [Cut] = []

    /// How long the device may be silent about what it was given. 5 s.
    static let patience = Duration.seconds(5)

    /// A playback of nothing.
    ///
    /// - Parameter lead: How much the device is given in advance.
    init(lead: Duration, rate: Int = 24_000) {
        ledger = HeardAudio(rate: rate)
        self.lead = max(Int(Double(rate) * (lead / .seconds(1))), 1)
    }

    /// True if all that came was heard.
    var isDone: Bool { queue.isEmpty && outstanding == 0 && !isFlushing }

    /// True if anything waits to be heard, or is being heard.
    var isActive: Bool { !isDone }

    /// True if the device is yet to say what was heard of what was cut.
    var isCutting: Bool { cutting != nil }

    /// True if anything of an item came that was not forgotten.
    func knows(_ itemID: String) -> Bool { order.contains { $0.itemID == itemID } }

    private var outstanding: Int { ledger.written - ledger.played }

    /// The time of the next step of ``advance(to:)``.
    var deadline: Duration? { outstanding > 0 || isFlushing ? silentSince + Self.patience : nil }

    /// More sound of a part, in whole frames.
    mutating func add(_ bytes: [UInt8], of part: Part) {
        let count = bytes.count / Self.bytesPerFrame
        guard count > 0 else { return }
        if sound[part] == nil { order.append(part) }
        let offset = ledger.received(part)
        sound[part, default: []] += bytes.prefix(count * Self.bytesPerFrame)
        ledger.received(count, of: part)
        queue.append(Chunk(part: part, offset: offset, count: count))
    }

    /// No more comes of an item.
    mutating func end(_ itemID: String) {
        for part in order where part.itemID == itemID { ended.insert(part) }
        forget()
    }

    /// True if something of an item that came was not heard.
    func isUnheard(_ itemID: String) -> Bool {
        order.contains { $0.itemID == itemID && ledger.heard($0) < ledger.received($0) }
    }

    /// The frames of a part that were heard.
    func heard(_ part: Part) -> Int { ledger.heard(part) }

    /// Be silent, and keep what was not heard.
    mutating func pause(at now: Duration) -> [Step] {
        isHeld = true
        return flush(at: now)
    }

    /// Go on where it stopped.
    mutating func resume() { isHeld = false }

    /// Be silent, and drop what was not heard; ``takeCuts()`` says what that was, once the device is silent.
    mutating func cut(at now: Duration) -> [Step] {
        isHeld = false
        cutting = (cutting ?? []) + order.filter { cutting?.contains($0) != true }
        if outstanding == 0, !isFlushing {
            finishCut()
            return []
        }
        return flush(at: now)
    }

    private mutating func flush(at now: Duration) -> [Step] {
        guard outstanding > 0, !isFlushing else { return [] }
        isFlushing = true
        silentSince = now
        return [.flush]
    }

    /// The device is silent.
    mutating func flushed(heard frames: Int, at now: Duration) {
        guard isFlushing else { return }
        isFlushing = false
        silentSince = now
        ledger.measured(delay: ledger.written - frames)
        let unheard = ledger.dropped().map { Chunk(part: $0.part, offset: $0.offset, count: $0.count) }
        queue = ArraySlice(unheard) + queue
        if cutting != nil { finishCut() }
    }

    private mutating func finishCut() {
        let parts = cutting ?? []
        cutting = nil
        for part in parts {
            let received = ledger.received(part)
            let share = received == 0 ? 0 : Double(ledger.heard(part)) / Double(received)
            finishedCuts.append(Cut(part: part, verdict: ledger.cut(part), share: share))
            sound[part] = nil
            ledger.forget(part)
            ended.remove(part)
        }
        queue = ArraySlice(queue.filter { !parts.contains($0.part) })
        order.removeAll(where: parts.contains)
    }

    /// What was cut since the last call.
    mutating func takeCuts() -> [Cut] {
        defer { finishedCuts = [] }
        return finishedCuts
    }

    /// So many frames were heard since the device was opened.
    mutating func heard(frames: Int, at now: Duration) {
        if frames > ledger.played { silentSince = now }
        ledger.measured(delay: ledger.written - frames)
        forget()
    }

    /// What the device gets now.
    mutating func feed(at now: Duration) -> [Step] {
        var steps: [Step] = []
        while !isHeld, !isFlushing, outstanding < lead, var chunk = queue.popFirst() {
            let count = min(chunk.count, lead - outstanding)
            if count < chunk.count {
                queue.insert(
                    Chunk(part: chunk.part, offset: chunk.offset + count, count: chunk.count - count),
                    at: queue.startIndex)
                chunk.count = count
            }
            guard let bytes = sound[chunk.part] else { continue }
            let range = chunk.offset * Self.bytesPerFrame..<(chunk.offset + count) * Self.bytesPerFrame
            if outstanding == 0 { silentSince = now }
            steps.append(.play(chunk.part, Array(bytes[range])))
            ledger.wrote(count, of: chunk.part, from: chunk.offset)
        }
        return steps
    }

    /// Gives up on a device that says nothing: what it has is taken as not heard.
    ///
    /// - Returns: True if it did so.
    mutating func advance(to now: Duration) -> Bool {
        guard let deadline, deadline <= now else { return false }
        silence(at: now)
        return true
    }

    /// Takes the device as silent, and what it has as not heard.
    mutating func silence(at now: Duration) {
        isFlushing = true
        flushed(heard: ledger.played, at: now)
    }

    private mutating func forget() {
        for part in order where ended.contains(part) && ledger.heard(part) >= ledger.received(part) {
            sound[part] = nil
            ledger.forget(part)
            ended.remove(part)
            order.removeAll { $0 == part }
        }
    }
}

// SPDX-License-Identifier: MIT

/// The sound of answers between the server and the loudspeaker: a pure state machine.
///
/// Unheard sound stays here; the device gets no more than a short lead, so that it can be silent at once. A pause takes
/// back the sound that the device has not played, and playback continues at that very frame.
struct AnswerPlayback: Sendable {
    typealias Part = HeardAudio.Part

    /// An action for the device.
    enum Step: Sendable, Hashable {
        case play(Part, [UInt8])
        /// Followed by ``flushed(heard:at:)``.
        case flush
    }

    /// A part that was cut, and the share of it that was heard, from 0 to 1.
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
    /// Parts in the order of their arrival.
    private var parts: [Part] = []
    private var ended: Set<Part> = []
    private var queue: ArraySlice<Chunk> = []
    private var isFlushing = false
    private var isHeld = false
    private var cutting: [Part]?
    private var silentSince = Duration.zero
    private var finishedCuts: [Cut] = []

    /// The time for which the device may report nothing while it has sound. 5 s.
    static let patience = Duration.seconds(5)
    /// A step that is later than this was held up. 500 ms.
    static let lateness = Duration.milliseconds(500)

    /// An empty playback.
    ///
    /// - Parameter lead: The sound that the device is given in advance.
    init(lead: Duration, rate: Int = 24_000) {
        ledger = HeardAudio(rate: rate)
        self.lead = max(Int(Double(rate) * (lead / .seconds(1))), 1)
    }

    /// True if all received sound was heard.
    var isDone: Bool { queue.isEmpty && outstanding == 0 && !isFlushing }

    /// True if anything waits to be heard, or is being heard.
    var isActive: Bool { !isDone }

    /// True until the device has reported how much was heard of a cut part.
    var isCutting: Bool { cutting != nil }

    /// True if sound of an item was received and not removed.
    func knows(_ itemID: String) -> Bool { parts.contains { $0.itemID == itemID } }

    private var outstanding: Int { ledger.written - ledger.played }

    /// The time of the next step of ``advance(to:)``.
    var deadline: Duration? { outstanding > 0 || isFlushing ? silentSince + Self.patience : nil }

    /// Adds sound of a part, in whole frames.
    mutating func add(_ bytes: [UInt8], of part: Part) {
        let count = bytes.count / Self.bytesPerFrame
        guard count > 0 else { return }
        if sound[part] == nil { parts.append(part) }
        let offset = ledger.received(part)
        sound[part, default: []] += bytes.prefix(count * Self.bytesPerFrame)
        ledger.receive(count, of: part)
        queue.append(Chunk(part: part, offset: offset, count: count))
    }

    /// Notes that no more sound of an item follows.
    mutating func end(_ itemID: String) {
        for part in parts where part.itemID == itemID { ended.insert(part) }
        forget()
    }

    /// True if received sound of an item was not heard.
    func isUnheard(_ itemID: String) -> Bool {
        parts.contains { $0.itemID == itemID && ledger.heard($0) < ledger.received($0) }
    }

    /// The number of frames of a part that were heard.
    func heardFrames(of part: Part) -> Int { ledger.heard(part) }

    /// Stops playback, and keeps the unheard sound.
    mutating func pause(at now: Duration) -> [Step] {
        isHeld = true
        return flush(at: now)
    }

    /// Continues where playback stopped.
    mutating func resume() { isHeld = false }

    /// Stops playback, and drops the unheard sound; ``takeCuts()`` returns the cut parts once the device is silent.
    mutating func cut(at now: Duration) -> [Step] {
        isHeld = false
        cutting = (cutting ?? []) + parts.filter { cutting?.contains($0) != true }
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

    /// Notes that the device is silent.
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
        let cut = cutting ?? []
        cutting = nil
        for part in cut {
            let received = ledger.received(part)
            let share = received == 0 ? 0 : Double(ledger.heard(part)) / Double(received)
            let verdict = ledger.cut(part, isWhole: ended.contains(part))
            finishedCuts.append(Cut(part: part, verdict: verdict, share: share))
            sound[part] = nil
            ledger.forget(part)
            ended.remove(part)
        }
        queue = ArraySlice(queue.filter { !cut.contains($0.part) })
        parts.removeAll(where: cut.contains)
    }

    /// The parts that were cut since the last call.
    mutating func takeCuts() -> [Cut] {
        defer { finishedCuts = [] }
        return finishedCuts
    }

    /// Notes the number of frames heard since the device was opened.
    mutating func heard(frames: Int, at now: Duration) {
        if frames > ledger.played { silentSince = now }
        ledger.measured(delay: ledger.written - frames)
        forget()
    }

    /// The sound that the device gets now.
    mutating func fillDevice(at now: Duration) -> [Step] {
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

    /// Gives up on a device that reports nothing: the sound that it has counts as unheard. If this call is late, the
    /// program did not run, and the device's reports may wait to be read: the device gets its time again.
    ///
    /// - Returns: True if it gave up.
    mutating func advance(to now: Duration) -> Bool {
        guard let deadline, deadline <= now else { return false }
        guard now - deadline < Self.lateness else {
            silentSince = now
            return false
        }
        silence(at: now)
        return true
    }

    /// Treats the device as silent, and the sound that it has as unheard.
    mutating func silence(at now: Duration) {
        isFlushing = true
        flushed(heard: ledger.played, at: now)
    }

    private mutating func forget() {
        for part in parts where ended.contains(part) && ledger.heard(part) >= ledger.received(part) {
            sound[part] = nil
            ledger.forget(part)
            ended.remove(part)
            parts.removeAll { $0 == part }
        }
    }
}

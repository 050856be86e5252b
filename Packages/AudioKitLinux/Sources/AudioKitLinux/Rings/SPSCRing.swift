// SPDX-License-Identifier: MIT
internal import Synchronization

/// A queue between exactly two threads without a lock: one writes, one reads, and neither ever waits for the other.
///
/// It holds frames of `stride` elements (samples of one instant, or one mark). Every call takes a bounded number of
/// steps, allocates nothing and makes no system call, so that an audio thread can stand on either side. Indices count
/// frames since the start and wrap around; only their difference matters (Lamport, "Specifying Concurrent Program
/// Modules", 1983).
// SAFETY: the storage between `tail` and `head` belongs to the reader and the rest to the writer. Each side publishes
// its index with release after it has touched the storage, and reads the other's with acquire before.
final class SPSCRing<Element: BitwiseCopyable>: @unchecked Sendable {
    /// Frames that fit: a power of two.
    let capacity: Int
    /// Elements in a frame.
    let stride: Int

    private let storage: UnsafeMutablePointer<Element>
    private let mask: Int

    // The two indices lie on cache lines of their own: otherwise each side would take the other's line away with
    // every step. Two lines apart, because processors fetch lines in pairs.
    private let head: Atomic<Int>
    private let refused = Atomic(0)
    private let gap: InlineArray<16, Int> = .init(repeating: 0)
    private let tail: Atomic<Int>

    /// A ring of at least `capacity` frames. `index` is where both indices begin, which only tests need to choose.
    init(capacity: Int, stride: Int = 1, zero: Element, startingAt index: Int = 0) {
        precondition(capacity > 0 && stride > 0, "a ring holds something")
        var size = 1
        while size < capacity { size *= 2 }
        self.capacity = size
        self.stride = stride
        mask = size - 1
        head = Atomic(index)
        tail = Atomic(index)
        storage = .allocate(capacity: size * stride)
        // Touched now: a page that is first touched on the audio thread would be a page fault there.
        storage.initialize(repeating: zero, count: size * stride)
    }

    deinit { storage.deallocate() }

    /// How many frames were refused because there was no room, since the start.
    var overflow: Int { refused.load(ordering: .relaxed) }
    /// Frames that wait. Exact for either side in the sense that it can only grow for the reader, and only shrink for
    /// the writer.
    var count: Int { head.load(ordering: .acquiring) &- tail.load(ordering: .acquiring) }
    /// Frames that fit at this moment.
    var room: Int { capacity - count }
    /// The index of the next frame to be written.
    var written: Int { head.load(ordering: .acquiring) }
    /// The index of the next frame to be read.
    var consumed: Int { tail.load(ordering: .acquiring) }

    /// Writer: offers room for at most `frames` to `body`, in one piece or two, and makes what `body` filled visible
    /// to the reader at once. Returns how many frames that was.
    ///
    /// `body` gets memory for a number of frames and the offset of the first within the whole.
    func fill(_ frames: Int, _ body: (_ target: UnsafeMutablePointer<Element>, _ frames: Int, _ offset: Int) -> Void)
        -> Int
    {
        let index = head.load(ordering: .relaxed)
        let count = max(0, min(frames, capacity - (index &- tail.load(ordering: .acquiring))))
        guard count > 0 else { return 0 }
        let start = index & mask
        let first = min(count, capacity - start)
        body(storage + start * stride, first, 0)
        if first < count { body(storage, count - first, first) }
        head.store(index &+ count, ordering: .releasing)
        return count
    }

    /// Writer: copies `frames` in. Those that find no room are refused and counted in `overflow`. Returns how many
    /// went in.
    @discardableResult
    func write(_ source: UnsafePointer<Element>, frames: Int) -> Int {
        let stride = stride
        let count = fill(frames) { target, count, offset in
            target.update(from: source + offset * stride, count: count * stride)
        }
        if count < frames { refuse(frames - count) }
        return count
    }

    /// Writer: appends one frame of one element; false, and counted, when there is no room.
    @discardableResult
    func push(_ element: Element) -> Bool {
        let count = fill(1) { target, _, _ in target.pointee = element }
        if count == 0 { refuse(1) }
        return count == 1
    }

    /// Writer: counts frames that it could not even offer.
    func refuse(_ frames: Int) { refused.wrappingAdd(frames, ordering: .relaxed) }

    /// Reader: hands at most `frames` of what waits to `body`, in one piece or two, without taking them out.
    func peek(_ frames: Int, _ body: (_ source: UnsafePointer<Element>, _ frames: Int, _ offset: Int) -> Void) -> Int {
        let index = tail.load(ordering: .relaxed)
        let count = max(0, min(frames, head.load(ordering: .acquiring) &- index))
        guard count > 0 else { return 0 }
        let start = index & mask
        let first = min(count, capacity - start)
        body(storage + start * stride, first, 0)
        if first < count { body(storage, count - first, first) }
        return count
    }

    /// Reader: takes out at most `frames`; returns how many.
    @discardableResult
    func skip(_ frames: Int) -> Int {
        let index = tail.load(ordering: .relaxed)
        let count = max(0, min(frames, head.load(ordering: .acquiring) &- index))
        if count > 0 { tail.store(index &+ count, ordering: .releasing) }
        return count
    }

    /// Reader: copies at most `frames` out and takes them; returns how many.
    func read(_ target: UnsafeMutablePointer<Element>, frames: Int) -> Int {
        let stride = stride
        let count = peek(frames) { source, count, offset in
            (target + offset * stride).update(from: source, count: count * stride)
        }
        return skip(count)
    }

    /// Reader: the oldest element, taken out; nil when the ring is empty.
    func pop() -> Element? {
        var element: Element?
        let count = peek(1) { source, _, _ in element = source.pointee }
        return skip(count) == 1 ? element : nil
    }
}

// SPDX-License-Identifier: MIT
internal import Synchronization

/// A lock-free queue between exactly two threads: one writes, one reads, and neither ever waits for the other.
///
/// It holds frames of `stride` elements (samples of one instant, or one mark). Every call takes a bounded number of
/// steps, allocates nothing and makes no system call, so that either side may be an audio thread. Indices count frames
/// since the start and wrap around; only their difference matters (Lamport, "Specifying Concurrent Program Modules",
/// 1983).
// SAFETY: the storage between `tail` and `head` belongs to the reader and the rest to the writer. Each side publishes
// its index with release after it has touched the storage, and reads the other's with acquire before.
final class SPSCRing<Element: BitwiseCopyable>: @unchecked Sendable {
    /// The capacity in frames: a power of two.
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

    /// Makes a ring of at least `capacity` frames. Both indices start at `index`, which only tests need to choose.
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
        // Touched now, because the first access to a page on the audio thread would be a page fault.
        storage.initialize(repeating: zero, count: size * stride)
    }

    deinit { storage.deallocate() }

    /// The number of frames since the start that were refused for lack of room.
    var overflow: Int { refused.load(ordering: .relaxed) }
    /// Frames that wait. The true number can only be higher for the reader, and only lower for the writer.
    var count: Int { head.load(ordering: .acquiring) &- tail.load(ordering: .acquiring) }
    /// Frames that fit at this moment.
    var room: Int { capacity - count }
    /// The index of the next frame to be written.
    var written: Int { head.load(ordering: .acquiring) }
    /// The index of the next frame to be read.
    var consumed: Int { tail.load(ordering: .acquiring) }

    /// Writer: offers room for at most `frames` to `body`, in one or two parts, and publishes all of them to the reader
    /// at once. Returns the number of frames.
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

    /// Writer: copies `frames` in. Those without room are refused and counted in `overflow`. Returns the number of
    /// frames written.
    @discardableResult
    func write(_ source: UnsafePointer<Element>, frames: Int) -> Int {
        let stride = stride
        let count = fill(frames) { target, count, offset in
            target.update(from: source + offset * stride, count: count * stride)
        }
        if count < frames { refuse(frames - count) }
        return count
    }

    /// Writer: appends one frame of one element. Without room it returns false and counts the frame in `overflow`.
    @discardableResult
    func push(_ element: Element) -> Bool {
        let count = fill(1) { target, _, _ in target.pointee = element }
        if count == 0 { refuse(1) }
        return count == 1
    }

    /// Writer: counts frames in `overflow` that it could not even offer.
    func refuse(_ frames: Int) { refused.wrappingAdd(frames, ordering: .relaxed) }

    /// Reader: passes at most `frames` waiting frames to `body`, in one or two parts, without removing them.
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

    /// Reader: removes at most `frames`; returns their number.
    @discardableResult
    func skip(_ frames: Int) -> Int {
        let index = tail.load(ordering: .relaxed)
        let count = max(0, min(frames, head.load(ordering: .acquiring) &- index))
        if count > 0 { tail.store(index &+ count, ordering: .releasing) }
        return count
    }

    /// Reader: copies out and removes at most `frames`; returns their number.
    func read(_ target: UnsafeMutablePointer<Element>, frames: Int) -> Int {
        let stride = stride
        let count = peek(frames) { source, count, offset in
            (target + offset * stride).update(from: source, count: count * stride)
        }
        return skip(count)
    }

    /// Reader: removes and returns the oldest element; nil if the ring is empty.
    func pop() -> Element? {
        var element: Element?
        let count = peek(1) { source, _, _ in element = source.pointee }
        return skip(count) == 1 ? element : nil
    }
}

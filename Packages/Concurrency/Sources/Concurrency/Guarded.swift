// SPDX-License-Identifier: MIT

import CThreadSanitizer
public import Synchronization

/// A `Mutex` whose order of events the thread sanitizer understands. Without that it reports every value inside a Mutex
/// as a race, on Linux with Swift 6.3.
public struct Guarded<Value>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>
    // Any address that belongs to the lock will do; a class instance has a stable one.
    @usableFromInline let mark = SanitizerMark()

    /// A lock around a value.
    @inlinable
    public init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    /// Runs `body` with exclusive access to the value. Not reentrant; keep `body` short, and never wait in it.
    @inlinable
    @inline(never)
    public func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        // Never inlined: `Mutex` keeps the thread's id in a thread-local variable, whose address an optimised async
        // function computes once, even if it resumes on another thread. The lock would then be released in the name of
        // the wrong thread.
        try mutex.withLock { value throws(Failure) in
            mark.acquire()
            defer { mark.release() }
            return try body(&value)
        }
    }
}

/// Tells the thread sanitizer when a lock is taken and released; does nothing without the sanitizer.
@usableFromInline
final class SanitizerMark: Sendable {
    @usableFromInline init() {}

    @usableFromInline
    func acquire() {
        cthreadsanitizer_acquire(Unmanaged.passUnretained(self).toOpaque())
    }

    @usableFromInline
    func release() {
        cthreadsanitizer_release(Unmanaged.passUnretained(self).toOpaque())
    }
}

// SPDX-License-Identifier: MIT

import CCurl
import Synchronization

/// A `Mutex` whose order of events the thread sanitizer understands. Without that it reports every value inside a Mutex
/// as a race, on Linux with Swift 6.3.
package struct Guarded<Value>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    // Any address that is the lock's own will do; a class instance has one that stays.
    private let mark = Mark()

    private final class Mark: Sendable {}

    /// A lock around a value.
    package init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    /// Runs `body` with the value, alone.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let address = Unmanaged.passUnretained(mark).toOpaque()
        return try mutex.withLock { value throws(Failure) in
            ccurl_tsan_acquire(address)
            defer { ccurl_tsan_release(address) }
            return try body(&value)
        }
    }
}

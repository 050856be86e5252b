// SPDX-License-Identifier: MIT

import Glibc

/// A lock around one value. `Synchronization.Mutex` makes the thread sanitizer report races that are none, on Linux with
/// Swift 6.3; a pthread mutex is what it understands.
// SAFETY: `value` is touched only while `mutex` is held. Both lie behind pointers, since a stored property would be
// checked for exclusive access each time, which the mutex sees to already.
final class Lock<Value>: @unchecked Sendable {
    private let value: UnsafeMutablePointer<Value>
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init(_ value: sending Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    @inline(__always)
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}

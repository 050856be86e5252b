// SPDX-License-Identifier: MIT

import Glibc

/// A value that one thread at a time may touch, and that threads can wait on: a POSIX mutex and condition variable.
///
/// Not `Mutex`: it cannot be waited on, and the thread sanitizer does not see its order of events on Linux (Swift 6.3).
// SAFETY: `value` is only touched between lock and unlock of `mutex`; both pointers live as long as the object.
final class Monitor<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Changes the value and wakes one thread that waits.
    func signal<Result>(_ body: (inout Value) -> Result) -> Result {
        let result = withLock(body)
        pthread_cond_signal(condition)
        return result
    }

    /// Waits until `body` returns a value. Blocks the thread.
    func wait<Result>(for body: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }
}

// SPDX-License-Identifier: MIT

import CSecret

/// Ends a blocking call of GLib from another thread.
// SAFETY: GCancellable may be used from any thread, and the pointer never changes.
final class Cancellation: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<GCancellable>?

    init() {
        pointer = g_cancellable_new()
    }

    deinit {
        g_object_unref(pointer)
    }

    func cancel() {
        g_cancellable_cancel(pointer)
    }
}

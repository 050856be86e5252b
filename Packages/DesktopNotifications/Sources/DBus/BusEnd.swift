// SPDX-License-Identifier: MIT

internal import CGIO
internal import Dispatch
internal import Glibc

/// Waits on a thread of its own for the end of a connection, as GIO tells it to programs with a main loop alone.
final class BusEnd: Sendable {
    /// Closing it ends the thread.
    private let stop: Int32?

    /// - Parameter ended: Called on that thread when the connection is closed.
    init(_ connection: OpaquePointer, _ ended: @escaping @Sendable () -> Void) {
        let descriptor = cgio_descriptor(connection)
        var ends: [Int32] = [-1, -1]
        guard descriptor >= 0,
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
        else {
            stop = nil
            if descriptor >= 0 { close(descriptor) }
            ended()
            return
        }
        stop = ends[1]
        g_object_ref(UnsafeMutableRawPointer(connection))
        // SAFETY: GDBusConnection is safe to use from any thread (GIO reference).
        nonisolated(unsafe) let connection = connection
        let stopped = ends[0]
        DispatchQueue(label: "dbus-end").async {
            // POLLRDHUP, which Glibc shows to GNU programs alone.
            var polled = [
                pollfd(fd: stopped, events: 0, revents: 0), pollfd(fd: descriptor, events: 0x2000, revents: 0),
            ]
            while poll(&polled, 2, -1) < 0 {}
            // GIO notices it a moment later, on its thread; a new call is to connect anew.
            while polled[0].revents == 0, g_dbus_connection_is_closed(connection) == 0 { poll(&polled, 1, 1) }
            if polled[0].revents == 0 { ended() }
            g_object_unref(UnsafeMutableRawPointer(connection))
            close(descriptor)
            close(stopped)
        }
    }

    deinit { if let stop { close(stop) } }
}

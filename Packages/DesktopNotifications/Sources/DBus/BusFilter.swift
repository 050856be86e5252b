// SPDX-License-Identifier: MIT

internal import CGIO

/// A stream of values that are read from a connection's incoming messages; it ends with the filter or
/// the connection.
///
/// SAFETY: GDBusConnection is safe to use from any thread (GIO reference), and the pointer never changes.
package final class BusFilter<Value: Sendable>: @unchecked Sendable {
    package let stream: AsyncStream<Value>
    private let sender: AsyncStream<Value>.Continuation
    private let connection: OpaquePointer
    private let filter: UInt32
    private let end: BusEnd

    /// Begins to receive.
    ///
    /// - Parameter read: Reads a message, on GIO's own thread; nil for one that is of no interest.
    package init(
        _ connection: OpaquePointer,
        buffering: AsyncStream<Value>.Continuation.BufferingPolicy = .bufferingNewest(8),
        _ read: @escaping @Sendable (OpaquePointer) -> Value?
    ) {
        let (stream, sender) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: buffering)
        (self.stream, self.sender, self.connection) = (stream, sender, connection)
        g_object_ref(UnsafeMutableRawPointer(connection))
        end = BusEnd(connection) { sender.finish() }
        let receiver = Receiver { message in if let value = read(message) { sender.yield(value) } }
        filter = g_dbus_connection_add_filter(
            connection,
            { _, message, isIncoming, context in
                guard isIncoming != 0, let message, let context else { return message }
                Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue().take(message)
                return message
            }, Unmanaged.passRetained(receiver).toOpaque(),
            { context in
                guard let context else { return }
                Unmanaged<Receiver>.fromOpaque(context).release()
            })
    }

    deinit {
        g_dbus_connection_remove_filter(connection, filter)
        g_object_unref(UnsafeMutableRawPointer(connection))
        sender.finish()
    }
}

private final class Receiver: Sendable {
    let take: @Sendable (OpaquePointer) -> Void
    init(_ take: @escaping @Sendable (OpaquePointer) -> Void) { self.take = take }
}

// SPDX-License-Identifier: MIT

internal import CGIO

/// The answers of a person to notifications. They arrive on GIO's own thread.
final class NotificationChoices {
    private final class Receiver: Sendable {
        let sender: AsyncStream<UInt32>.Continuation
        init(_ sender: AsyncStream<UInt32>.Continuation) { self.sender = sender }
    }

    let stream: AsyncStream<UInt32>
    private let sender: AsyncStream<UInt32>.Continuation
    private let connection: OpaquePointer
    private let filter: UInt32

    /// Begins to receive; the connection must outlive this object.
    init(_ connection: OpaquePointer) {
        let (stream, sender) = AsyncStream.makeStream(of: UInt32.self, bufferingPolicy: .bufferingNewest(8))
        (self.stream, self.sender, self.connection) = (stream, sender, connection)
        filter = g_dbus_connection_add_filter(
            connection,
            { _, message, isIncoming, context in
                guard isIncoming != 0, let message, let context else { return message }
                let number = cgio_chosen(message)
                if number > 0 {
                    Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue().sender.yield(number)
                }
                return message
            }, Unmanaged.passRetained(Receiver(sender)).toOpaque(),
            { context in
                guard let context else { return }
                Unmanaged<Receiver>.fromOpaque(context).release()
            })
    }

    deinit {
        g_dbus_connection_remove_filter(connection, filter)
        sender.finish()
    }
}

// SPDX-License-Identifier: MIT

internal import CGIO
import Concurrency
import DBus
internal import Glibc

/// Reports that the machine is about to sleep or has woken up (logind's signal `PrepareForSleep`).
public actor SleepWatch {
    private nonisolated let executor = QueueExecutor(label: "sleep-watch")
    private let address: String

    /// See `Actor`.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Makes it without a connection.
    ///
    /// - Parameter address: The bus; the system's (`DBUS_SYSTEM_BUS_ADDRESS`, else its usual place) if nil.
    public init(address: String? = nil) {
        let set = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
        self.address = address ?? set ?? "unix:path=/run/dbus/system_bus_socket"
    }

    /// Subscribes at once. The machine delays its sleep (logind's delay inhibitor, 5 s by default) until the body of
    /// ``SleepEvents/forEach(_:)`` has returned. Without a system bus there are no events.
    public func events() -> SleepEvents {
        let (events, sender) = AsyncStream.makeStream(of: Bool.self)
        let signals = SleepSignals(address: address, sender)
        if signals == nil { sender.finish() }
        return SleepEvents(watch: self, events: events, signals: signals)
    }

    fileprivate func delaySleep(_ signals: SleepSignals) { signals.delaySleep() }
}

/// The machine's sleeps and wakings from a subscription on; they are kept until they are read.
public struct SleepEvents: Sendable {
    fileprivate let watch: SleepWatch
    fileprivate let events: AsyncStream<Bool>
    fileprivate let signals: SleepSignals?

    /// Calls `body` with true before the machine sleeps, and with false after it has woken up, until the task is
    /// cancelled; without a system bus it returns at once.
    public func forEach(_ body: (_ isAboutToSleep: Bool) async -> Void) async {
        for await isAboutToSleep in events {
            await body(isAboutToSleep)
            guard let signals else { continue }
            if isAboutToSleep { signals.allowSleep() } else { await watch.delaySleep(signals) }
        }
    }
}

/// A subscription. Its messages arrive on GIO's own thread.
private final class SleepSignals: Sendable {
    private static let rule =
        "type='signal',sender='org.freedesktop.login1',interface='org.freedesktop.login1.Manager',"
        + "member='PrepareForSleep'"

    private final class Receiver: Sendable {
        let sender: AsyncStream<Bool>.Continuation
        init(_ sender: AsyncStream<Bool>.Continuation) { self.sender = sender }
    }

    private let bus: BusConnection
    private let filter: UInt32
    /// The descriptor that delays sleep until it is closed; -1 for none.
    private let inhibitor = Guarded<Int32>(-1)

    init?(address: String, _ sender: AsyncStream<Bool>.Continuation) {
        guard let bus = BusConnection(address: address) else { return nil }
        self.bus = bus
        filter = g_dbus_connection_add_filter(
            bus.connection,
            { _, message, isIncoming, context in
                if isIncoming != 0, let message, let context { SleepSignals.take(message, context) }
                return message
            }, Unmanaged.passRetained(Receiver(sender)).toOpaque(),
            { context in
                guard let context else { return }
                Unmanaged<Receiver>.fromOpaque(context).release()
            })
        guard case .success = bus.call(BusConnection.driver, "AddMatch", [Self.rule], reply: nil) else {
            return nil
        }
        delaySleep()
    }

    deinit {
        g_dbus_connection_remove_filter(bus.connection, filter)
        allowSleep()
    }

    /// Delays the next sleep. Without logind, or if it refuses, the machine sleeps without waiting.
    ///
    /// It waits for logind's reply, 500 ms at most.
    func delaySleep() {
        let descriptor = cgio_delay_sleep(bus.connection, "Parley", "A recording rests first", 500)
        replaceInhibitor(by: descriptor)
    }

    /// Ends the delay of sleep.
    func allowSleep() { replaceInhibitor(by: -1) }

    private func replaceInhibitor(by descriptor: Int32) {
        let old = inhibitor.withLock { inhibitor in
            defer { inhibitor = descriptor }
            return inhibitor
        }
        if old >= 0 { close(old) }
    }

    private static func take(_ message: OpaquePointer, _ context: UnsafeMutableRawPointer) {
        // The bus broadcasts the signals of the rule; any program may have sent a message that is addressed only to
        // this one.
        guard g_dbus_message_get_message_type(message) == UInt32(CGIO_MESSAGE_TYPE_SIGNAL),
            g_dbus_message_get_destination(message) == nil,
            let member = g_dbus_message_get_member(message), strcmp(member, "PrepareForSleep") == 0,
            let body = g_dbus_message_get_body(message), g_variant_n_children(body) == 1,
            let value = g_variant_get_child_value(body, 0)
        else { return }
        defer { g_variant_unref(value) }
        guard g_variant_classify(value) == UInt32(CGIO_CLASS_BOOLEAN) else { return }
        Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue().sender.yield(
            g_variant_get_boolean(value) != 0)
    }
}

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
        SleepEvents(watch: self, signals: SleepSignals(address: address))
    }

    fileprivate func delaySleep(_ signals: SleepSignals) { signals.delaySleep() }
}

/// The machine's sleeps and wakings from a subscription on; they are kept until they are read.
public struct SleepEvents: Sendable {
    fileprivate let watch: SleepWatch
    fileprivate let signals: SleepSignals?

    /// Calls `body` with true before the machine sleeps, and with false after it has woken up, until the task is
    /// cancelled or the bus ends; without a system bus it returns at once.
    public func forEach(_ body: (_ isAboutToSleep: Bool) async -> Void) async {
        guard let signals else { return }
        for await isAboutToSleep in signals.filter.stream {
            await body(isAboutToSleep)
            if isAboutToSleep { signals.allowSleep() } else { await watch.delaySleep(signals) }
        }
    }
}

/// A subscription. Its messages arrive on GIO's own thread.
private final class SleepSignals: Sendable {
    private static let rule =
        "type='signal',sender='org.freedesktop.login1',interface='org.freedesktop.login1.Manager',"
        + "member='PrepareForSleep'"

    private let bus: BusConnection
    let filter: BusFilter<Bool>
    /// The descriptor that delays sleep until it is closed; -1 for none.
    private let inhibitor = Guarded<Int32>(-1)

    init?(address: String) {
        guard let bus = BusConnection(address: address) else { return nil }
        self.bus = bus
        filter = BusFilter(bus.connection, buffering: .unbounded) { message in
            guard cgio_is_signal(message, "/org/freedesktop/login1", "PrepareForSleep") != 0,
                let body = g_dbus_message_get_body(message), g_variant_n_children(body) == 1,
                let value = g_variant_get_child_value(body, 0)
            else { return nil }
            defer { g_variant_unref(value) }
            guard g_variant_classify(value) == UInt32(CGIO_CLASS_BOOLEAN) else { return nil }
            return g_variant_get_boolean(value) != 0
        }
        guard case .success = bus.call(BusConnection.driver, "AddMatch", [Self.rule], reply: nil) else {
            return nil
        }
        delaySleep()
    }

    deinit { allowSleep() }

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
}

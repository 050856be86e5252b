// SPDX-License-Identifier: MIT

public import DBus
public import Domain
public import FoundationEssentials

/// The person's activity, as systemd-logind knows it: the desktop tells it after some minutes without input.
public struct ActivityContextSource: ContextSource {
    private static let manager = DBusObject(
        name: "org.freedesktop.login1", path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager")

    private let bus: DBusBus
    private let deadline: Duration
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - deadline: The longest wait for logind.
    ///   - now: The wall clock.
    public init(
        bus: DBusBus = .system, deadline: Duration = DBusClient.deadline,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.bus, self.deadline, self.now) = (bus, deadline, now)
    }

    /// See `ContextSource`.
    public var part: ContextPart { .activity }

    /// See `ContextSource`.
    public func read() async throws -> ContextReading {
        let client = DBusClient(bus)
        do {
            guard try await client.property("IdleHint", of: Self.manager, deadline: deadline).boolean == true else {
                return .activity(.active)
            }
            // Microseconds since 1970.
            let since = try await client.property("IdleSinceHint", of: Self.manager, deadline: deadline).double ?? 0
            return .activity(now().timeIntervalSince1970 - since / 1_000_000 < 3_600 ? .idle : .away)
        } catch { throw DomainError(error, of: "The activity", from: "systemd") }
    }
}

/// The place, from GeoClue, which asks the person or the desktop's settings first. It is rounded at once.
public struct LocationContextSource: ContextSource {
    private static let name = "org.freedesktop.GeoClue2"
    /// GClueAccuracyLevel: a city.
    private static let accuracy: UInt32 = 4

    private let bus: DBusBus
    private let deadline: Duration
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - deadline: The longest wait for a place.
    ///   - clock: Measures it.
    public init(
        bus: DBusBus = .system, deadline: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.bus, self.deadline, self.clock) = (bus, deadline, clock)
    }

    /// See `ContextSource`.
    public var part: ContextPart { .location }

    /// See `ContextSource`.
    public func read() async throws -> ContextReading {
        // GeoClue has one client for each connection.
        let bus = DBusClient(bus)
        do {
            let manager = DBusObject(
                name: Self.name, path: "/org/freedesktop/GeoClue2/Manager",
                interface: "org.freedesktop.GeoClue2.Manager")
            let path = try await bus.call("GetClient", of: manager, deadline: deadline).first?.string
            let client = DBusObject(
                name: Self.name, path: path ?? "/", interface: "org.freedesktop.GeoClue2.Client")
            try await bus.set("DesktopId", of: client, to: .string("parley"))
            try await bus.set("RequestedAccuracyLevel", of: client, to: .uint32(Self.accuracy))
            let updates = try await bus.signals("LocationUpdated", of: client)
            try await bus.call("Start", of: client, deadline: deadline)
            let found = try await place(of: client, on: bus, updates)
            _ = try? await bus.call("Stop", of: client)
            guard let found else {
                throw DomainError.device(
                    "GeoClue knows no place yet. Try it again in a minute, or: parley context deny location")
            }
            let values = try await bus.properties(
                of: DBusObject(name: Self.name, path: found, interface: "org.freedesktop.GeoClue2.Location"))
            guard let latitude = values["Latitude"]?.double, let longitude = values["Longitude"]?.double,
                let place = CoarseLocation(latitude: latitude, longitude: longitude)
            else { throw DomainError.device("GeoClue gave a place that is not on the Earth. Check its settings.") }
            return .location(place)
        } catch let error as DBusError { throw DomainError(error, of: "The place", from: "geoclue-2.0") }
    }

    /// The path of the place, at once or after the first update; nil after the deadline.
    private func place(
        of client: DBusObject, on bus: DBusClient, _ updates: AsyncStream<[DBusValue]>
    ) async throws -> String? {
        let known = try await bus.property("Location", of: client).string
        if let known, known != "/" { return known }
        return try await withThrowingTaskGroup(of: String?.self) { group in
            group.addTask {
                for await update in updates {
                    if let new = update.last?.string, new != "/" { return new }
                }
                return nil
            }
            group.addTask { [clock, deadline] in
                try await clock.sleep(for: deadline)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}

extension DomainError {
    /// The error of a source that depends on a service of the desktop's.
    ///
    /// - Parameter package: The package that has the service.
    fileprivate init(_ error: DBusError, of subject: String, from package: String) {
        let remedy =
            switch error.code {
            case .libraryMissing: error.message
            case .noBus: error.message
            case .noService: "Install the package \(package), or start its service."
            case .accessDenied: "Its service refuses it: allow it in the settings of the desktop."
            case .timedOut: "Its service does not answer. Try it again."
            case .noMember, .failed: "Its service cannot tell it (\(error.message))."
            }
        self = .device("\(subject) is not known. \(remedy)")
    }
}

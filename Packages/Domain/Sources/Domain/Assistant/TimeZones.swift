// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The time zones of the world and of this machine. Every implementation passes `TimeZonesContract` in
/// `DomainTestSupport`.
public protocol TimeZones: Sendable {
    /// The zones of a place: a city, a country, a US state, or a zone's own name ("Asia/Tokyo").
    ///
    /// - Returns: The zones, the one with the most inhabitants first where that is known; empty for an unknown place.
    /// - Throws: ``DomainError/file(_:)`` if the zones cannot be read.
    func zones(of place: String) async throws -> [ZonedPlace]

    /// The offset of a zone at a time.
    ///
    /// - Parameter zone: The zone's name; nil for the zone of this machine.
    /// - Throws: ``DomainError/notFound(_:)`` for an unknown name, ``DomainError/file(_:)`` if the zone cannot be read.
    func offset(in zone: String?, at time: Date) async throws -> ZoneOffset
}

/// A place and its zone.
public struct ZonedPlace: Sendable, Hashable {
    /// The place's name in English; for one of several zones, that of its main city.
    public let name: String
    /// The zone's name in the time zone database, "America/New_York".
    public let zone: String

    /// Makes a place.
    public init(name: String, zone: String) {
        self.name = name
        self.zone = zone
    }
}

/// The difference between a zone's clocks and UTC.
public struct ZoneOffset: Sendable, Hashable {
    /// Seconds east of UTC, negative west of it.
    public let seconds: Int
    /// True while clocks are set to daylight-saving time.
    public let isDaylightSaving: Bool
    /// The usual abbreviation, "CET"; digits ("+03") for a zone without one.
    public let abbreviation: String

    /// Makes an offset.
    public init(seconds: Int, isDaylightSaving: Bool, abbreviation: String) {
        self.seconds = seconds
        self.isDaylightSaving = isDaylightSaving
        self.abbreviation = abbreviation
    }
}

// SPDX-License-Identifier: MIT

public import Domain
public import FoundationEssentials

/// The contract of `TimeZones`, for zones that hold Tokyo, New York and Australia, at least.
public enum TimeZonesContract {
    private static let january = Date(timeIntervalSince1970: 1_768_478_400)
    private static let july = Date(timeIntervalSince1970: 1_784_116_800)

    /// Every promise.
    public static let checks: [ContractCheck<any TimeZones>] = [
        .init("a city has one zone, however it is written") { zones in
            for name in ["New York", "new york", "America/New_York"] {
                let found = try await zones.zones(of: name)
                try require(found.map(\.zone) == ["America/New_York"], "\(name): \(found)")
                try require(found[0].name == "New York", "\(name) is called \(found[0].name)")
            }
        },
        .init("a country with several zones has them all, each with a known offset") { zones in
            let found = try await zones.zones(of: "Australia")
            try require(found.count > 1, "only \(found)")
            try require(Set(found.map(\.zone)).count == found.count, "one twice: \(found)")
            for place in found { _ = try await zones.offset(in: place.zone, at: january) }
        },
        .init("an unknown place has no zone") { zones in
            for name in ["Nowhereville", "", "../../etc/passwd", "\u{0}"] {
                try await require(zones.zones(of: name).isEmpty, "\(name) has a zone")
            }
        },
        .init("daylight-saving time counts where it is kept") { zones in
            let winter = try await zones.offset(in: "America/New_York", at: january)
            let summer = try await zones.offset(in: "America/New_York", at: july)
            let standard = ZoneOffset(seconds: -18000, isDaylightSaving: false, abbreviation: "EST")
            let daylight = ZoneOffset(seconds: -14400, isDaylightSaving: true, abbreviation: "EDT")
            try require((winter, summer) == (standard, daylight), "\(winter), \(summer)")
            for time in [january, july] {
                let offset = try await zones.offset(in: "Asia/Tokyo", at: time)
                try require(offset.seconds == 32400 && !offset.isDaylightSaving, "Tokyo: \(offset)")
            }
        },
        .init("this machine has a zone") { zones in
            let offset = try await zones.offset(in: nil, at: january)
            try require(abs(offset.seconds) < 93600 && !offset.abbreviation.isEmpty, "\(offset)")
        },
        .init("an unknown zone is not found") { zones in
            for name in ["Europe/Nowhere", "", "../../../etc/passwd", "/etc/passwd"] {
                try await requireError(code: "notFound") { _ = try await zones.offset(in: name, at: january) }
            }
        },
    ]
}

/// Zones for tests: Tokyo, New York with its daylight-saving time from April to October, and two of Australia.
public struct ScriptedTimeZones: TimeZones {
    private let local: ZoneOffset

    /// - Parameter local: The offset of this machine.
    public init(local: ZoneOffset = ZoneOffset(seconds: 3600, isDaylightSaving: false, abbreviation: "CET")) {
        self.local = local
    }

    /// See `TimeZones`.
    public func zones(of place: String) -> [ZonedPlace] {
        let all = [
            ZonedPlace(name: "Tokyo", zone: "Asia/Tokyo"), ZonedPlace(name: "New York", zone: "America/New_York"),
            ZonedPlace(name: "Sydney", zone: "Australia/Sydney"), ZonedPlace(name: "Perth", zone: "Australia/Perth"),
        ]
        if place.lowercased() == "australia" { return Array(all[2...]) }
        return all.filter { $0.zone == place || $0.name.lowercased() == place.lowercased() }
    }

    /// See `TimeZones`.
    public func offset(in zone: String?, at time: Date) throws -> ZoneOffset {
        switch zone {
        case nil: return local
        case "Asia/Tokyo": return ZoneOffset(seconds: 32400, isDaylightSaving: false, abbreviation: "JST")
        case "Australia/Sydney": return ZoneOffset(seconds: 36000, isDaylightSaving: false, abbreviation: "AEST")
        case "Australia/Perth": return ZoneOffset(seconds: 28800, isDaylightSaving: false, abbreviation: "AWST")
        case "America/New_York":
            let day = CalendarDate(dayNumber: Int((time.timeIntervalSince1970 / 86400).rounded(.down)))
            let isSummer = (4...10).contains(day?.month ?? 1)
            return ZoneOffset(
                seconds: isSummer ? -14400 : -18000, isDaylightSaving: isSummer, abbreviation: isSummer ? "EDT" : "EST")
        case let name?: throw DomainError.notFound(Sentence(verbatim: name))
        }
    }
}

// SPDX-License-Identifier: MIT

import Concurrency
public import Domain
public import FoundationEssentials
import Glibc

/// The time zones of this machine's database (Debian's package tzdata), read when they are first needed.
public struct SystemTimeZones: TimeZones {
    /// The state of a file that is read: another one once it was replaced, or its link leads elsewhere.
    private struct Stamp: Equatable {
        let device: UInt
        let inode: UInt
        let seconds: Int
        let nanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    private final class Cache: Sendable {
        let zones = Guarded<[String: (stamp: Stamp?, zone: TimeZoneFile)]>([:])
        let places = Guarded<[String: [ZonedPlace]]?>(nil)
    }

    private let folder: String
    private let localFile: String
    private let variable: String?
    private let cache = Cache()

    /// The zones of this machine; nothing is read yet.
    public init() {
        // ProcessInfo copies the whole environment, which takes 0.3 ms.
        self.init(variable: getenv("TZ").map { String(cString: $0) })
    }

    /// - Parameters:
    ///   - folder: The database.
    ///   - localFile: The zone of this machine; UTC if it is missing.
    ///   - variable: The variable TZ, which comes before the file: a zone's name or path, or a rule as in POSIX.
    init(folder: String = "/usr/share/zoneinfo", localFile: String = "/etc/localtime", variable: String?) {
        self.folder = folder
        self.localFile = localFile
        self.variable = variable
    }

    /// See `TimeZones`.
    public func zones(of place: String) throws -> [ZonedPlace] {
        let places = try self.places()
        let words = PlaceTable.key(place).split(separator: " ").map(String.init)
        guard (1...12).contains(words.count) else { return [] }
        if let found = places[words.joined(separator: " ")] { return found }
        // "Austin, Texas": the city's zone if that is one of the state's, else the state's if it has one only.
        for split in 1..<max(words.count, 1) {
            guard let region = places[words[split...].joined(separator: " ")] else { continue }
            let city = places[words[..<split].joined(separator: " ")] ?? []
            let matches = city.filter { city in region.contains { $0.zone == city.zone } }
            if !matches.isEmpty { return matches }
            return region.count == 1 ? [ZonedPlace(name: place, zone: region[0].zone)] : []
        }
        return []
    }

    /// See `TimeZones`.
    public func offset(in zone: String?, at time: Date) throws -> ZoneOffset {
        let seconds = Int64(exactly: time.timeIntervalSince1970.rounded(.down)) ?? 0
        guard let zone else { return try localOffset(at: seconds) }
        guard Self.isName(zone) else { throw DomainError.notFound(Sentence(verbatim: zone)) }
        return try file(folder + "/" + zone, called: zone).offset(at: seconds)
    }

    private func localOffset(at seconds: Int64) throws -> ZoneOffset {
        let utc = ZoneOffset(seconds: 0, isDaylightSaving: false, abbreviation: "UTC")
        guard let variable else {
            do { return try file(localFile, called: localFile).offset(at: seconds) } catch DomainError.notFound {
                return utc
            }
        }
        let value = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
        if value.isEmpty { return utc }
        do {
            let path = value.hasPrefix("/") ? value : folder + "/" + value
            return try file(path, called: value).offset(at: seconds)
        } catch DomainError.notFound {
            guard let rule = PosixTimeZone(value) else {
                throw DomainError.file("TZ names no time zone: \(value). Set it as in TZ=Europe/Berlin.")
            }
            return rule.offset(at: seconds)
        }
    }

    private func file(_ path: String, called name: String) throws -> TimeZoneFile {
        let stamp = Stamp(path)
        if let known = cache.zones.withLock({ $0[path] }), known.stamp == stamp { return known.zone }
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder,
            let bytes = FileManager.default.contents(atPath: path)
        else { throw DomainError.notFound(Sentence(verbatim: name)) }
        do {
            let zone = try TimeZoneFile([UInt8](bytes))
            cache.zones.withLock { $0[path] = (stamp, zone) }
            return zone
        } catch {
            throw DomainError.file("The time zone \(path) is damaged (\(error)). Install the package tzdata again.")
        }
    }

    /// Names of the database hold letters, digits and a few signs, and never lead out of it.
    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, (65...90).contains(first) else { return false }
        return !name.contains("..")
            && name.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "/_+-".utf8.contains(byte)
            }
    }

    /// Zones by the keys of places: later ones don't replace earlier ones, but for our own table, which replaces all.
    private func places() throws -> [String: [ZonedPlace]] {
        if let known = cache.places.withLock({ $0 }) { return known }
        guard let paths = try? FileManager.default.subpathsOfDirectory(atPath: folder) else {
            throw DomainError.file("There are no time zones in \(folder). Install the package tzdata.")
        }
        var places: [String: [ZonedPlace]] = [:]
        var countries: [String: [ZonedPlace]] = [:]
        let rows = lines(of: "zone1970.tab").filter { $0.count >= 3 }
        for row in rows {
            let place = Self.place(row[2])
            places[PlaceTable.key(place.name)] = places[PlaceTable.key(place.name)] ?? [place]
            for code in row[0].split(separator: ",") { countries[String(code), default: []].append(place) }
        }
        for row in lines(of: "iso3166.tab") where row.count >= 2 {
            guard let zones = countries[row[0]] else { continue }
            let key = PlaceTable.key(row[1])
            // Singapore and Panama are called as their zone.
            places[key] = zones.count == 1 ? [ZonedPlace(name: row[1], zone: zones[0].zone)] : zones
        }
        for path in paths.sorted() where Self.isZone(path) {
            let place = Self.place(path)
            for key in [PlaceTable.key(place.name), PlaceTable.key(path)] where places[key] == nil {
                places[key] = [place]
            }
        }
        places.merge(PlaceTable.places()) { $1 }
        let found = places
        cache.places.withLock { $0 = found }
        return found
    }

    private static func isZone(_ path: String) -> Bool {
        isName(path) && path != "Factory" && !path.utf8.contains { (48...57).contains($0) || $0 == 43 }
    }

    private static func place(_ zone: String) -> ZonedPlace {
        let last = zone.split(separator: "/").last ?? ""
        return ZonedPlace(name: String(last.map { $0 == "_" ? " " : $0 }), zone: zone)
    }

    /// The fields of a table's lines; none if there is no such table.
    private func lines(of name: String) -> [[String]] {
        guard let bytes = FileManager.default.contents(atPath: folder + "/" + name) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "\t").map(String.init) }
    }
}

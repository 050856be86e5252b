// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import DataAssistant

@Suite struct TimeZoneFileTests {
    private static let folder = "/usr/share/zoneinfo"

    private static func bytes(_ zone: String) throws -> [UInt8] {
        try [UInt8](#require(FileManager.default.contents(atPath: folder + "/" + zone)))
    }

    @Test(arguments: TimeZonesContract.checks)
    func `the system's zones keep the contract`(_ check: ContractCheck<any TimeZones>) async throws {
        try await check.run(SystemTimeZones(variable: nil))
        try await check.run(SystemTimeZones(variable: "Europe/Berlin"))
    }

    @Test func `offsets and abbreviations are those of Python's zoneinfo`() async throws {
        var random = SeededGenerator(seed: 23)
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.folder).sorted()
            .filter { name in
                let bytes = FileManager.default.contents(atPath: Self.folder + "/" + name)
                return name.contains("/") && !name.hasPrefix("right") && !name.hasPrefix("posix")
                    && bytes?.starts(with: "TZif".utf8) == true
            }
        try #require(names.count > 300)
        var pairs = (0..<300).map { _ in
            (
                names.randomElement(using: &random) ?? "UTC",
                Int64.random(in: -3_000_000_000...7_000_000_000, using: &random)
            )
        }
        // Seconds around changes of the clocks, in the table and after it.
        for time in [1_774_746_000, 1_792_890_000, 2_404_429_200, 4_109_878_800] as [Int64] {
            for zone in ["Europe/Berlin", "Europe/Dublin", "America/New_York", "Africa/Casablanca"] {
                pairs += [(zone, time - 1), (zone, time), (zone, time + 3600)]
            }
        }
        let script = """
            import sys, zoneinfo, datetime
            for line in sys.stdin:
                name, time = line.split()
                moment = datetime.datetime.fromtimestamp(int(time), zoneinfo.ZoneInfo(name))
                print(name, time, int(moment.utcoffset().total_seconds()), moment.tzname())
            """
        let input = pairs.map { "\($0.0) \($0.1)\n" }.joined()
        let python = try ChildProcess("python3", ["-c", script], input: .bytes(Array(input.utf8)))
        let result = await python.finished()
        #expect(result.code == 0)
        let expected = result.output.split(separator: "\n").map(String.init)
        #expect(expected.count == pairs.count)
        let zones = SystemTimeZones(variable: nil)
        let ours = try pairs.map { name, time in
            let offset = try zones.offset(in: name, at: Date(timeIntervalSince1970: Double(time)))
            return "\(name) \(time) \(offset.seconds) \(offset.abbreviation)"
        }
        for (ours, expected) in zip(ours, expected) { #expect(ours == expected) }
    }

    @Test func `a changed or cut file gives a fault or a zone, never a crash`() throws {
        var random = SeededGenerator(seed: 8536)
        var faults: Set<TimeZoneFile.Fault> = []
        for zone in ["Europe/Berlin", "Asia/Tokyo", "America/New_York", "UTC"] {
            let valid = try Self.bytes(zone)
            for length in 0..<valid.count {
                let fault = #expect(throws: TimeZoneFile.Fault.self) { try TimeZoneFile(Array(valid[..<length])) }
                if let fault { faults.insert(fault) }
            }
            for round in 0..<3000 {
                var bytes = valid
                // Half of the rounds aim at the headers' counts.
                let limit = round.isMultiple(of: 2) ? 60 : bytes.count
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let values: [UInt8] = [0, 1, 127, 255]
                    bytes[Int.random(in: 0..<limit, using: &random)] = values.randomElement(using: &random) ?? 0
                }
                do {
                    let file = try TimeZoneFile(bytes)
                    for time in [Int64.min, -1, 0, 1_795_727_700, .max] {
                        #expect(abs(file.offset(at: time).seconds) < 26 * 3600)
                    }
                } catch { faults.insert(error) }
            }
        }
        #expect(faults.isSuperset(of: [.notTimeZone, .truncated, .malformed, .footer]))
    }

    /// One change at 1000, from an hour west of UTC to two hours east of it, in the format of version 1.
    private static func oldFile(leapSeconds: UInt8 = 0) -> [UInt8] {
        var bytes = Array("TZif".utf8) + [UInt8](repeating: 0, count: 16)
        for count in [0, 0, leapSeconds, 1, 2, 4] as [UInt8] { bytes += [0, 0, 0, count] }
        bytes += [0, 0, 3, 232, 1] + [255, 255, 241, 240, 0, 0] + [0, 0, 28, 32, 1, 0] + Array("ABC\0".utf8)
        return bytes + [UInt8](repeating: 0, count: 8 * Int(leapSeconds))
    }

    @Test func `a file of version 1 has 32-bit times and no rule`() throws {
        let file = try TimeZoneFile(Self.oldFile())
        #expect(file.offset(at: 999) == ZoneOffset(seconds: -3600, isDaylightSaving: false, abbreviation: "ABC"))
        #expect(file.offset(at: 1000) == ZoneOffset(seconds: 7200, isDaylightSaving: true, abbreviation: "ABC"))
        #expect(throws: TimeZoneFile.Fault.leapSeconds) { try TimeZoneFile(Self.oldFile(leapSeconds: 2)) }
    }

    @Test func `counts of four thousand million take no memory`() throws {
        var bytes = Self.oldFile()
        for index in 20..<44 { bytes[index] = 255 }
        #expect(throws: TimeZoneFile.Fault.truncated) { try TimeZoneFile(bytes) }
    }

    @Test(arguments: [
        ("CET-1CEST,M3.5.0,M10.5.0/3", 1_774_745_999, 3600), ("CET-1CEST,M3.5.0,M10.5.0/3", 1_774_746_000, 7200),
        ("CET-1CEST,M3.5.0,M10.5.0/3", 1_792_889_999, 7200), ("CET-1CEST,M3.5.0,M10.5.0/3", 1_792_890_000, 3600),
        // The southern half: daylight-saving time over New Year.
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", 1_767_225_600, 39600), ("AEST-10AEDT,M10.1.0,M4.1.0/3", 1_782_864_000, 36000),
        // Ireland's is negative: winter time is the exception.
        ("IST-1GMT0,M10.5.0,M3.5.0/1", 1_767_225_600, 0), ("IST-1GMT0,M10.5.0,M3.5.0/1", 1_782_864_000, 3600),
        // All year.
        ("EST5EDT,0/0,J365/25", 1_767_225_600, -14400), ("EST5EDT,0/0,J365/25", 1_767_243_600, -14400),
        ("<+0545>-5:45", 0, 20700), ("EST5EDT", 1_782_864_000, -14400), ("UTC0", 0, 0),
    ])
    func `a rule of POSIX gives the offset`(_ text: String, _ time: Int64, _ seconds: Int) throws {
        #expect(try #require(PosixTimeZone(text)).offset(at: time).seconds == seconds)
    }

    @Test(arguments: [
        "", "C", "CET", "CET-", "CET-1CEST,", "CET-1CEST,M3.5.0", "CET-1CEST,M13.1.0,M1.1.0", "CET-1CEST,M3.6.0,M1.1.0",
        "CET-1CEST,M3.5.0,M10.5.0/168", "<CET-1", "CET-25", "CET-1CEST,M3.5.0,M10.5.0/3x", "CET1:60",
    ])
    func `another text is no rule`(_ text: String) {
        #expect(PosixTimeZone(text) == nil)
    }

    @Test(arguments: [
        ("Tokyo", ["Asia/Tokyo"]), ("Beijing", ["Asia/Shanghai"]), ("san francisco", ["America/Los_Angeles"]),
        ("Washington", ["America/New_York", "America/Los_Angeles"]), ("São Paulo", ["America/Sao_Paulo"]),
        ("Japan", ["Asia/Tokyo"]), ("the Netherlands", ["Europe/Brussels"]), ("Ohio", ["America/New_York"]),
        ("Texas", ["America/Chicago", "America/Denver"]), ("Austin, Texas", ["America/Chicago"]), ("Paris, Texas", []),
        ("Portland Maine", ["America/New_York"]), ("Springfield, Illinois", ["America/Chicago"]),
        ("UK", ["Europe/London"]), ("Singapore", ["Asia/Singapore"]),
        ("Buenos Aires", ["America/Argentina/Buenos_Aires"]),
        ("UTC", ["Etc/UTC"]), ("St. Louis", ["America/Chicago"]), ("a bottle", []), ("Factory", []),
    ])
    func `a place has its zones`(_ place: String, _ expected: [String]) throws {
        #expect(try SystemTimeZones(variable: nil).zones(of: place).map(\.zone) == expected)
    }

    @Test func `every place of the table has a zone of the database`() throws {
        let zones = SystemTimeZones(variable: nil)
        let places = PlaceTable.places()
        #expect(places.count > 150)
        for place in places.values.joined() {
            #expect(throws: Never.self) { try zones.offset(in: place.zone, at: .now) }
        }
    }

    @Test func `a change of this machine's zone is seen`() throws {
        let summer = Date(timeIntervalSince1970: 1_782_864_000)
        let folder = try TemporaryFolder()
        let (file, next) = (folder.file("localtime"), folder.file("next"))
        let zones = SystemTimeZones(localFile: file, variable: nil)
        for (zone, name) in [("Asia/Tokyo", "JST"), ("Europe/Berlin", "CEST")] {
            try FileManager.default.createSymbolicLink(atPath: next, withDestinationPath: "\(Self.folder)/\(zone)")
            #expect(rename(next, file) == 0)
            #expect(try zones.offset(in: nil, at: summer).abbreviation == name)
            #expect(try zones.offset(in: nil, at: summer).abbreviation == name)
        }
    }

    @Test func `TZ comes before the file of this machine`() throws {
        let summer = Date(timeIntervalSince1970: 1_782_864_000)
        func local(_ variable: String?, file: String = "/nonexistent") throws -> String {
            try SystemTimeZones(localFile: file, variable: variable).offset(in: nil, at: summer).abbreviation
        }
        #expect(try local("Asia/Tokyo") == "JST")
        #expect(try local(":Asia/Tokyo") == "JST")
        #expect(try local("\(Self.folder)/Asia/Tokyo") == "JST")
        #expect(try local("CET-1CEST") == "CEST")
        #expect(try local("") == "UTC")
        #expect(try local(nil) == "UTC")
        #expect(try local(nil, file: "\(Self.folder)/Asia/Tokyo") == "JST")
        #expect(throws: DomainError.self) { try local("Nowhere") }
        #expect(throws: DomainError.self) { try local(nil, file: "/etc/passwd") }
    }
}

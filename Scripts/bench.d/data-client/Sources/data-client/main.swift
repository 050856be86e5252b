// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Foundation
import PracticeWire

// usage: data-client cues PATH COUNT | results PATH COUNT | walk PATH | map COUNT
let arguments = CommandLine.arguments
let count = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0

func cues(_ range: Range<Int>) throws -> [Cue] {
    try range.map { number in
        guard let language = LanguageTag(["en", "de", "es", "fr", "it", "ja"][number % 6]),
            let cue = Cue(
                text: "Cue number \(number): could you tell me the way to the station?", language: language,
                topic: "travel", level: number % 6 + 1, hint: "A hint that is somewhat longer than the cue's text.",
                createdAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number)))
        else { throw DomainError.invalidInput("no cue") }
        return cue
    }
}

/// The most memory that the process ever had, in MB.
func peak() -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
    return (Double(line.split(separator: " ").dropFirst().first ?? "") ?? 0) / 1_024
}

func seconds(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try body()
    return start.duration(to: clock.now) / .seconds(1)
}

switch arguments[1] {
case "cues":
    let store = SQLiteCueStore(try await PracticeDatabase(path: arguments[2]))
    for start in stride(from: 0, to: count, by: 1_000) { try await store.add(cues(start..<min(start + 1_000, count))) }
case "results":
    let repository = SQLitePracticeRepository(try await PracticeDatabase(path: arguments[2]), owner: nil)
    guard let day = CalendarDate("2026-01-02"), let language = LanguageTag("en") else { exit(1) }
    try await repository.store(
        (0..<count).map { number in
            PracticeResult(
                cue: .init(), cueText: "Could you tell me the way?", language: language,
                practisedAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number)), day: day, rating: .good)
        })
case "walk":
    let store = SQLiteCueStore(try await PracticeDatabase(path: arguments[2]))
    var (cursor, total): (CueCursor?, Int) = (nil, 0)
    repeat {
        let page = try await store.page(CueQuery(limit: 200), after: cursor)
        (cursor, total) = (page.next, total + page.cues.count)
    } while cursor != nil
    print("{\"cues\": \(total), \"peak\": \(peak())}")
case "map":
    let all = try cues(0..<(Int(arguments[2]) ?? 0))
    let bytes = try WireJSON.encode(CuePageDTO(CuePage(cues: all)))
    struct Plain: Decodable {
        struct Item: Decodable {
            let id: String
            let text: String
            let language: String
            let topic: String
            let level: Int
            let hint: String?
        }
        let items: [Item]
    }
    for _ in 0..<10 {
        let plain = try seconds { _ = try JSONDecoder().decode(Plain.self, from: Data(bytes)).items.count }
        let mapped = try seconds {
            let dto: CuePageDTO = try WireJSON.decode(from: bytes)
            guard try dto.page().cues.count == all.count else { throw DomainError.invalidInput("cues are missing") }
        }
        print("{\"plain\": \(plain), \"mapped\": \(mapped)}")
    }
default: exit(2)
}

// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import FoundationEssentials

/// Measures practice on a device, and prints one JSON object of numbers: milliseconds, and megabytes of resident memory.
@main
struct Main {
    static func main() async throws {
        guard CommandLine.arguments.count == 3, let rounds = Int(CommandLine.arguments[1]) else {
            throw DomainError.invalidInput("usage: data-client ROUNDS FOLDER")
        }
        let folder = CommandLine.arguments[2]
        var figures: [String: Double] = [:]
        try await measurePages(rounds, folder, &figures)
        try measureMapping(rounds, &figures)
        try await measureSync(rounds, folder, &figures)
        try await measureMemory(folder, &figures)
        print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
    }

    private static func measurePages(_ rounds: Int, _ folder: String, _ figures: inout [String: Double]) async throws {
        let path = folder + "/pages.sqlite"
        do {
            let database = try await PracticeDatabase(path: path)
            try await SQLiteCueStore(database).add(try cues(0..<10_000))
            await database.close()
        }
        let queries = [
            "in the catalogue's order": CueQuery(), "shuffled": CueQuery(order: .shuffled(seed: 7)),
            "of a language, by a word": CueQuery(language: LanguageTag("pt"), words: "seven"),
        ]
        for (name, query) in queries {
            figures["first page, \(name)"] = try await median(rounds) {
                // From the closed file on, as a command has it.
                let database = try await PracticeDatabase(path: path)
                let page = try await SQLiteCueStore(database).page(query, after: nil)
                guard page.cues.count == 50 else { throw DomainError.storage("\(page.cues.count) cues, not 50") }
                await database.close()
            }
        }
    }

    private static func measureMapping(_ rounds: Int, _ figures: inout [String: Double]) throws {
        let pages = try (0..<50).map { page in
            try WireJSON.encode(CuePageDTO(CuePage(cues: try cues(page * 200..<page * 200 + 200))))
        }
        figures["read and map 10,000 cues"] = try median(rounds) {
            for page in pages {
                guard try WireJSON.decode(CuePageDTO.self, from: page).page().cues.count == 200 else {
                    throw DomainError.storage("a page lost cues")
                }
            }
        }
    }

    private static func measureSync(_ rounds: Int, _ folder: String, _ figures: inout [String: Double]) async throws {
        let path = folder + "/sync.sqlite"
        guard let language = LanguageTag("en"), let day = CalendarDate("2026-01-01") else { return }
        var (storing, sending): ([Double], [Double]) = ([], [])
        for _ in 0..<min(rounds, 3) {
            let database = try await PracticeDatabase(path: path)
            let queue = OutboxSyncQueue(database, account: "ada")
            let results = SQLitePracticeRepository(database, owner: "ada", queue: queue)
            let new = (0..<1_000).map { _ in
                PracticeResult(
                    cue: .init(), cueText: "Hello", language: language, practisedAt: Date(timeIntervalSince1970: 1),
                    day: day, rating: .good)
            }
            storing.append(try await time { try await results.store(new) })
            let worker = OutboxSyncWorker(
                queue: queue, results: results,
                recordings: SealedRecordingRepository(SQLiteRecordingIndex(database, owner: "ada")) {
                    throw DomainError.notFound("folder")
                }, receiver: Receiver())
            sending.append(
                try await time {
                    guard try await worker.drain(report: { _ in }) == 0 else {
                        throw DomainError.storage("not all sent")
                    }
                })
            await database.close()
        }
        figures["store and queue 1,000 results"] = storing.sorted()[storing.count / 2]
        figures["send 1,000 queued results to a receiver in memory"] = sending.sorted()[sending.count / 2]
    }

    private static func measureMemory(_ folder: String, _ figures: inout [String: Double]) async throws {
        let database = try await PracticeDatabase(path: folder + "/memory.sqlite")
        let store = SQLiteCueStore(database)
        for start in stride(from: 0, to: 100_000, by: 1_000) { try await store.add(try cues(start..<start + 1_000)) }
        let query = CueQuery(limit: 200)
        _ = try await store.page(query, after: nil)
        figures["memory after a page of 100,000 cues"] = residentMegabytes()
        for query in [query, CueQuery(order: .shuffled(seed: 1), limit: 200)] {
            var (cursor, count, pages) = (CueCursor?.none, 0, 0)
            repeat {
                let page = try await store.page(query, after: cursor)
                (cursor, count, pages) = (page.next, count + page.cues.count, pages + 1)
            } while cursor != nil && (query.order == .catalogue || pages < 50)
            guard query.order != .catalogue || count == 100_000 else { throw DomainError.storage("\(count) cues") }
        }
        figures["memory after all of their pages"] = residentMegabytes()
        let page = try await median(5) { _ = try await store.page(CueQuery(order: .shuffled(seed: 9)), after: nil) }
        figures["page of 100,000 shuffled cues"] = page
        await database.close()
    }

    private static func cues(_ numbers: Range<Int>) throws -> [Cue] {
        let (languages, words) = (["pt-BR", "de", "en-US", "fr", "pt"], ["seven", "eight", "nine", "ten"])
        return try numbers.map { number in
            guard let language = LanguageTag(languages[number % 5]),
                let cue = Cue(
                    text: "Cue \(number) of \(words[number % 4]) and some more words", language: language,
                    topic: "topic \(number % 20)", level: number % 6 + 1, hint: "Hint \(number)",
                    createdAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number)))
            else { throw DomainError.invalidInput("no cue \(number)") }
            return cue
        }
    }

    private static func residentMegabytes() -> Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return (Double(line.filter(\.isNumber)) ?? 0) / 1_024
    }

    private static func time(_ body: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        try await body()
        return (ContinuousClock.now - start) / .milliseconds(1)
    }

    private static func median(_ rounds: Int, _ body: () async throws -> Void) async throws -> Double {
        var times: [Double] = []
        for _ in 0..<rounds { times.append(try await time(body)) }
        return times.sorted()[rounds / 2]
    }

    private static func median(_ rounds: Int, _ body: () throws -> Void) throws -> Double {
        var times: [Double] = []
        for _ in 0..<rounds {
            let start = ContinuousClock.now
            try body()
            times.append((ContinuousClock.now - start) / .milliseconds(1))
        }
        return times.sorted()[rounds / 2]
    }
}

/// Takes everything at once.
private struct Receiver: SyncReceiver {
    func send(_ result: PracticeResult) {}
    func delete(_ recording: Identifier<Recording>) {}
    func upload(_ recording: Recording, content: any RecordingContent, report: @Sendable (Int) async -> Void) {}
}

// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import DomainTestSupport
import Foundation
import Persistence

// usage: memory-client PATH COUNT
// Keeps answers, looks them up, and keeps more in a file that is full; prints milliseconds as JSON.
// usage: memory-client PEOPLE SIZE…
// Prints the mean hit rates of caches of each size over the histories of generated people as JSON.
let answer = String(repeating: "It has eight legs, as all spiders have. ", count: 4)

func question(_ number: Int) throws -> FactQuestion {
    guard let question = FactQuestion("how many legs does spider \(number) have") else { exit(1) }
    return question
}

/// The questions of some weeks, the oldest first.
func history(_ count: Int) -> [Message] {
    (0..<5_000).map { number in
        Message(
            conversation: .init(), turn: TurnID(), role: .user, modality: .text,
            text: "how many legs does spider \(number * number % count) have",
            createdAt: Date(timeIntervalSinceNow: -900 * Double(5_000 - number)))
    }
}

func times(_ numbers: some Sequence<Int>, _ body: (Int) async throws -> Void) async throws -> [Double] {
    let clock = ContinuousClock()
    var times: [Double] = []
    for number in numbers {
        let start = clock.now
        try await body(number)
        times.append(start.duration(to: clock.now) / .milliseconds(1))
    }
    return times.sorted()
}

func keep(_ number: Int, _ cache: StoredAnswerCache) async throws {
    await cache.keep(
        KeptAnswer(question: "asked", text: answer, model: "m", confidence: 1, answeredAt: Date()),
        to: try question(number))
}

func speed(_ path: String, _ count: Int) async throws -> [String: [Double]] {
    func cache(_ bytes: Int) -> StoredAnswerCache {
        let messages = history(count)
        return StoredAnswerCache(space: "bench", history: { messages }) {
            try await CacheStore(at: path, configuration: .init(maximumBytes: bytes))
        }
    }
    let wide = cache(1_000_000_000)
    let stored = try await times(0..<count) { try await keep($0, wide) }
    let found = try await times((0..<5_000).map { $0 * 7_919 % count }) { number in
        guard try await wide.answer(to: question(number)) != nil else { exit(2) }
    }
    let missed = try await times(count..<count + 5_000) { number in
        guard try await wide.answer(to: question(number)) == nil else { exit(3) }
    }
    await wide.close()
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    let store = try await CacheStore(at: path)
    let bytes = try await store.usage().bytes
    await store.close()
    // The first answer beyond the limit makes room for a twentieth more, and the ones after it find that.
    let full = cache(bytes)
    let decided = try await times([count + 10_000]) { try await keep($0, full) }
    let beyond = try await times(count + 10_001..<count + 11_000) { try await keep($0, full) }
    await full.close()
    func middle(_ times: [Double]) -> [Double] { [times[times.count / 2], times[times.count * 99 / 100]] }
    return [
        "store": middle(stored), "hit": middle(found), "miss": middle(missed), "full": middle(beyond),
        "decision": decided, "bytes": [Double(size)],
    ]
}

func hits(_ people: Int, _ sizes: [Int]) -> [String: [Double]] {
    // Other people than those on whom the model's numbers were chosen.
    let histories = (0..<people).map { GeneratedHistory(seed: 1_001 + UInt64($0)) }
    var rates: [String: [Double]] = [:]
    for rule in AnswerCacheEvaluation.Rule.allCases {
        rates[rule.rawValue] = sizes.map { size in
            histories.reduce(0) { $0 + AnswerCacheEvaluation.hitRate(of: rule, size: size, over: $1) } / Double(people)
        }
    }
    return rates
}

let words = CommandLine.arguments.dropFirst()
let numbers = words.compactMap(Int.init)
let result =
    numbers.count == words.count
    ? hits(numbers[0], Array(numbers.dropFirst())) : try await speed(CommandLine.arguments[1], numbers[0])
print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))

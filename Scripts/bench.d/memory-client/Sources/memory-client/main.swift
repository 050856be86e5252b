// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Foundation
import Persistence

// usage: memory-client PATH COUNT
// Keeps answers, looks them up, and keeps more in a file that is full; prints milliseconds as JSON.
let (path, count) = (CommandLine.arguments[1], Int(CommandLine.arguments[2]) ?? 0)
let answer = String(repeating: "It has eight legs, as all spiders have. ", count: 4)

func question(_ number: Int) throws -> FactQuestion {
    guard let question = FactQuestion("how many legs does spider \(number) have") else { exit(1) }
    return question
}

func cache(_ bytes: Int) -> StoredAnswerCache {
    StoredAnswerCache(space: "bench") { try await CacheStore(at: path, configuration: .init(maximumBytes: bytes)) }
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
        KeptAnswer(question: "asked", text: answer, model: "m", confidence: 1, answeredAt: Date()), to: question(number)
    )
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
// A full one drops an answer or two for each that it keeps.
let full = cache(20_000_000)
try await keep(count + 10_000, full)
let evicted = try await times(count + 10_001..<count + 11_000) { try await keep($0, full) }
await full.close()

func middle(_ times: [Double]) -> String { "[\(times[times.count / 2]), \(times[times.count * 99 / 100])]" }
print(
    "{\"store\": \(middle(stored)), \"hit\": \(middle(found)), \"miss\": \(middle(missed)), \"full\": \(middle(evicted)), "
        + "\"bytes\": \(size)}")

// SPDX-License-Identifier: MIT
import Glibc
import Localization

// localization-client FILE ROUNDS: one line for each figure, name and nanoseconds, the median of the rounds.

func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

func median(_ rounds: Int, _ calls: Int, _ body: () throws -> Void) rethrows -> Double {
    var times: [Double] = []
    for _ in 0..<rounds {
        let start = nanoseconds()
        for _ in 0..<calls { try body() }
        times.append(Double(nanoseconds() - start) / Double(calls))
    }
    return times.sorted()[rounds / 2]
}

let path = CommandLine.arguments[1]
let rounds = Int(CommandLine.arguments[2]) ?? 21
// The first opening of a process, which also loads what opening needs.
let start = nanoseconds()
let catalogue = try MessageCatalogue(path: path)
print("first", nanoseconds() - start)
print("open", try median(rounds, 20) { _ = try MessageCatalogue(path: path) })
let ids = (0..<catalogue.count - 1).map { "Message number \($0) of the program, with {name}" }
var found = 0
print(
    "lookup",
    median(rounds, 1) {
        for id in ids { found += catalogue.translation(of: id) == nil ? 0 : 1 }
    } / Double(ids.count))
print("plural", median(rounds, 1000) { found += catalogue.translation(of: "{count} file", count: 7) == nil ? 0 : 1 })
let translator = Translator(Language("ru") ?? .english, catalogues: [catalogue])
let text = tr("Message number 7 of the program, with {name}", ["name": "a name"])
print("shown", median(rounds, 1000) { found += translator(text).utf8.count })
guard found == rounds * (ids.count - 1 + 1000 + 1000 * translator(text).utf8.count) else {
    print("failed: \(found)")
    exit(1)
}

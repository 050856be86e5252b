// SPDX-License-Identifier: MIT

import Foundation
import Persistence

// usage: vectors-client FILE DIMENSION LIMIT
//
// FILE holds rows of DIMENSION floats; an index is made of them beside it. Then reads lines `THREADS METRIC` with the
// query's bytes after each, and answers each with the milliseconds and the row numbers that it found.

let (path, dimension, limit) = (
    CommandLine.arguments[1], Int(CommandLine.arguments[2]) ?? 0, Int(CommandLine.arguments[3]) ?? 0
)
let rows = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
let count = rows.count / (4 * dimension)

func floats(_ bytes: Data) -> [Float] { bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } }

var indexes: [Int: VectorIndex] = [:]
let clock = ContinuousClock()
let input = FileHandle.standardInput

func read(_ count: Int) throws -> Data {
    var bytes = Data()
    while bytes.count < count, let more = try input.read(upToCount: count - bytes.count), !more.isEmpty {
        bytes += more
    }
    return bytes
}

/// A line without its end, or nil at the input's end.
func line() throws -> String? {
    var bytes = Data()
    while let byte = try input.read(upToCount: 1), !byte.isEmpty {
        if byte.first == 10 { return String(decoding: bytes, as: UTF8.self) }
        bytes += byte
    }
    return nil
}

let began = clock.now
let first = try await VectorIndex(at: path + ".index", dimension: dimension)
for start in stride(from: 0, to: count, by: 10_000) {
    let batch = (start..<min(start + 10_000, count)).map { row in
        (id: Int64(row), vector: floats(rows[row * dimension * 4..<(row + 1) * dimension * 4]))
    }
    try await first.insert(batch)
}
await first.close()
print((clock.now - began) / .milliseconds(1))
fflush(nil)

while let words = try line()?.split(separator: " ") {
    let (threads, metric) = (Int(words[0]) ?? 1, words[1] == "cosine" ? VectorMetric.cosine : .dotProduct)
    let query = floats(try read(4 * dimension))
    if indexes[threads] == nil {
        for index in indexes.values { await index.close() }
        indexes = [threads: try await VectorIndex(at: path + ".index", dimension: dimension, threads: threads)]
    }
    guard let index = indexes[threads] else { break }
    let start = clock.now
    let matches = try await index.nearest(to: query, limit: limit, metric: metric)
    let milliseconds = (clock.now - start) / .milliseconds(1)
    print(milliseconds, matches.map { String($0.id) }.joined(separator: " "))
    fflush(nil)
}

// SPDX-License-Identifier: MIT

import CBaseline
import Foundation
import Security

// Prints one JSON object: for each size, nanoseconds a message for ours and for C, in interleaved rounds; then the speed of
// sealed files and the time of one passphrase.

let rounds = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 41 : 41
let folder = CommandLine.arguments.count > 2 ? CommandLine.arguments[2] : NSTemporaryDirectory()
let clock = ContinuousClock()

struct Failure: Error {
    let what: String
}

/// Processor time of this thread, which does not count what else the machine does meanwhile.
func nanoseconds(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
    let start = now()
    try body()
    return (now() - start) / Double(count)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

let keyBytes = try SecureRandom.bytes(32)
let aead = try AEAD(key: SymmetricKey(keyBytes))
let context = Array("recording 7, version 1".utf8)
var results: [String: Double] = [:]

for (name, size, count) in [("1 KB", 1_024, 20_000), ("1 MB", 1 << 20, 40)] {
    let message = try SecureRandom.bytes(size)
    let sealed = try aead.seal(message, authenticating: context)
    var output = [UInt8](repeating: 0, count: size + 28)
    var (ownSealed, ownOpened) = ([UInt8](), [UInt8]())
    var times: [String: [Double]] = [:]
    var checksum = 0
    for round in 0..<(rounds + 3) {
        let fresh = try nanoseconds(count) {
            for _ in 0..<count { checksum &+= Int(try aead.seal(message, authenticating: context)[12]) }
        }
        let ours = try nanoseconds(count) {
            for _ in 0..<count { try aead.seal(message, authenticating: context, into: &ownSealed) }
        }
        let theirs = nanoseconds(count) {
            checksum &+= Int(
                baseline_seal(keyBytes, message, size, context, context.count, &output, Int32(count)))
        }
        let theirsFresh = nanoseconds(count) {
            checksum &+= Int(
                baseline_seal_fresh(keyBytes, message, size, context, context.count, Int32(count)))
        }
        let oursOpen = try nanoseconds(count) {
            for _ in 0..<count { try aead.open(sealed, authenticating: context, into: &ownOpened) }
        }
        let theirsOpen = try nanoseconds(count) {
            guard
                baseline_open(keyBytes, sealed, sealed.count, context, context.count, &output, Int32(count)) == 1
            else { throw Failure(what: "the baseline does not open what ours sealed") }
        }
        guard round >= 3 else { continue }
        times["seal into a new array", default: []].append(fresh)
        times["seal into new memory in C", default: []].append(theirsFresh)
        times["seal", default: []].append(ours)
        times["seal in C", default: []].append(theirs)
        times["open", default: []].append(oursOpen)
        times["open in C", default: []].append(theirsOpen)
    }
    for (what, values) in times { results["\(name) \(what)"] = median(values) }
    results["\(name) checksum"] = Double(checksum & 1)
}

let key = try SymmetricKey()
let megabytes = 64
let piece = Data(try SecureRandom.bytes(1 << 20))
var (writes, reads, scattered) = ([Double](), [Double](), [Double]())
for round in 0..<7 {
    let path = folder + "/sealed-\(round)"
    let writer = try await SealedFileWriter.create(at: path, key: key, context: context)
    var start = clock.now
    for _ in 0..<megabytes { try await writer.append(piece) }
    try await writer.finish()
    writes.append(Double(megabytes) / ((clock.now - start) / .seconds(1)))
    let reader = try await SealedFileReader.open(path, key: key, context: context)
    start = clock.now
    for index in 0..<megabytes { _ = try await reader.read(at: index << 20, maximum: 1 << 20) }
    reads.append(Double(megabytes) / ((clock.now - start) / .seconds(1)))
    start = clock.now
    for index in 0..<1_000 { _ = try await reader.read(at: (index &* 7_919_333) % (megabytes << 20), maximum: 100) }
    scattered.append((clock.now - start) / .microseconds(1) / 1_000)
    try FileManager.default.removeItem(atPath: path)
}
results["sealed file write"] = median(writes)
results["sealed file read"] = median(reads)
results["sealed file random read"] = median(scattered)

let salt = try SecureRandom.bytes(16)
results["scrypt"] = median(
    try (0..<5).map { _ in try nanoseconds(1) { _ = try Scrypt.key(passphrase: salt, salt: salt) } })
print(String(decoding: try JSONEncoder().encode(results), as: UTF8.self))

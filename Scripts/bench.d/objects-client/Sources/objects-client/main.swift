// SPDX-License-Identifier: MIT

import Foundation
import ObjectStore

// Prints the seconds of each step as one JSON object.
let usage = "usage: objects-client FOLDER|s3://… FILE SMALL-COUNT   (credentials of S3 in the environment)"
let words = Array(CommandLine.arguments.dropFirst())
guard words.count == 3, let count = Int(words[2]) else {
    print(usage)
    exit(2)
}
let store: any ObjectStore
if words[0].hasPrefix("s3://") {
    guard let credentials = S3CredentialSource.environment() else { exit(2) }
    store = try S3ObjectStore(S3Configuration(words[0]), credentials: credentials)
} else {
    store = try FolderObjectStore(words[0])
}

func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    return start.duration(to: .now) / .seconds(1)
}

var results: [String: Double] = [:]
let large = try ObjectKey("bench/large")
results["put"] = try await seconds { try await store.put(large, .file(words[1])) }
results["parts"] = try await seconds { try await store.put(large, file: words[1]) }
results["get"] = try await seconds { for try await _ in try await store.get(large).chunks {} }
let content = [UInt8](repeating: 7, count: 4_096)
let keys = try (0..<count).map { try ObjectKey("bench/small-\($0)") }
results["small put"] = try await seconds { for key in keys { try await store.put(key, .bytes(content)) } }
results["small get"] = try await seconds { for key in keys { _ = try await store.get(key).bytes() } }
results["list"] = try await seconds { for try await _ in store.objects(prefix: "bench/") {} }
for key in keys + [large] { try await store.delete(key) }
let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }?.filter(\.isNumber) ?? ""
results["peak"] = (Double(peak) ?? 0) / 1_024
print(String(decoding: try JSONEncoder().encode(results), as: UTF8.self))

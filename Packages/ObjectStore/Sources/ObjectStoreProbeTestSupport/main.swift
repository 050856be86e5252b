// SPDX-License-Identifier: MIT

// Moves a large object through a store, so that a test can look at the memory that it takes:
//
//     ObjectStoreProbeTestSupport folder FOLDER MEGABYTES
//     ObjectStoreProbeTestSupport s3 ADDRESS ACCESS-KEY SECRET MEGABYTES
//
// It puts the object as a stream and as a file in parts, reads both, and prints its peak of memory in KiB.

import FoundationEssentials
import Glibc
import ObjectStore

let arguments = CommandLine.arguments.dropFirst()
let count = (arguments.last.flatMap { Int($0) } ?? 0) << 20
let words = Array(arguments)
let store: any ObjectStore
switch words.first {
case "folder": store = try FolderObjectStore(words[1])
case "s3":
    store = try S3ObjectStore(
        S3Configuration(words[1]), credentials: .fixed(S3Credentials(accessKey: words[2], secretKey: words[3])))
default: exit(2)
}

/// Zeros, in chunks.
struct Zeros: AsyncSequence, AsyncIteratorProtocol, Sendable {
    var rest: Int

    func makeAsyncIterator() -> Zeros { self }

    mutating func next() async -> [UInt8]? {
        guard rest > 0 else { return nil }
        let chunk = [UInt8](repeating: 0, count: Swift.min(rest, 256 << 10))
        rest -= chunk.count
        return chunk
    }
}

let path = FileManager.default.temporaryDirectory.appending(path: "parley-probe-\(getpid())").path
defer { unlink(path) }
let (streamed, filed) = (try ObjectKey("probe/stream"), try ObjectKey("probe/file"))
try await store.put(streamed, ObjectContent(Zeros(rest: count), length: count))
try await store.download(streamed, to: path)
try await store.put(filed, file: path)
var read = 0
for try await chunk in try await store.get(filed).chunks { read += chunk.count }
guard read == count, try await store.head(streamed).size == count else { exit(1) }
for key in [streamed, filed] { try await store.delete(key) }
let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
// Unlike ru_maxrss, it does not begin with the memory of the program that started this one.
let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
print(line.filter(\.isNumber))

// SPDX-License-Identifier: MIT

import Digests
import Foundation
import Networking
import Testing

/// What a device and its server have of an account, out of the archive that `parley data export` writes.
struct Holdings {
    /// What one of them has.
    struct Side {
        /// The names of the results, and of what was recorded for each; the newest first.
        let results: [(id: String, recording: String?)]
        /// The names of the recordings, the newest first.
        let recordings: [String]
        /// What the recordings' sound should hash to (SHA-256), by name.
        let hashes: [String: String]
        /// The sound itself, by name.
        let sounds: [String: Data]

        fileprivate init(_ folder: String) throws {
            results = try Self.lines(folder + "/practice").map { line in
                (try #require(line["id"] as? String), line["recording"] as? String)
            }
            var (recordings, hashes, sounds) = ([String](), [String: String](), [String: Data]())
            for line in try Self.lines(folder + "/recordings") {
                let recording = try #require(line["recording"] as? [String: Any])
                let id = try #require(recording["id"] as? String)
                recordings.append(id)
                hashes[id] = recording["sha256"] as? String
                sounds[id] = try Data(contentsOf: URL(filePath: folder + "/" + (try #require(line["file"] as? String))))
            }
            (self.recordings, self.hashes, self.sounds) = (recordings, hashes, sounds)
        }

        /// The JSON lines of `1.jsonl`, `2.jsonl` …; none when there is no such folder.
        private static func lines(_ folder: String) throws -> [[String: Any]] {
            var lines: [[String: Any]] = []
            for number in 1... {
                let path = "\(folder)/\(number).jsonl"
                guard FileManager.default.fileExists(atPath: path) else { break }
                for line in try Data(contentsOf: URL(filePath: path)).split(separator: 10) {
                    lines.append(try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any]))
                }
            }
            return lines
        }
    }

    let device: Side
    let server: Side

    /// Reads an archive; a folder for what is in it is made beside it, and removed.
    init(_ archive: String) throws {
        let folder = archive + ".d"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/server", withIntermediateDirectories: true)
        try SoundFixtures.tool("/usr/bin/tar", ["-xf", archive, "-C", folder])
        try SoundFixtures.tool("/usr/bin/tar", ["-xf", folder + "/server.tar", "-C", folder + "/server"])
        device = try Side(folder)
        server = try Side(folder + "/server")
    }

    /// What is wrong where everything should have been sent: missing, doubled, too much, or other bytes; empty when all is right.
    var faults: [String] {
        var faults: [String] = []
        for (name, side) in [("device", device), ("server", server)] {
            let results = side.results.map(\.id)
            if Set(results).count != results.count { faults.append("the \(name) has results twice") }
            if Set(side.recordings).count != side.recordings.count { faults.append("the \(name) has recordings twice") }
            let used = side.results.compactMap(\.recording)
            if Set(used).count != used.count { faults.append("the \(name) has two results of one recording") }
            for id in side.recordings where Self.hash(side.sounds[id]) != side.hashes[id] {
                faults.append("the \(name)'s sound of \(id) is not what was recorded")
            }
        }
        faults += Self.differences("result", Set(device.results.map(\.id)), Set(server.results.map(\.id)))
        faults += Self.differences("recording", Set(device.recordings), Set(server.recordings))
        for id in device.recordings where device.sounds[id] != server.sounds[id] {
            faults.append("the server's sound of \(id) is another than the device's")
        }
        return faults
    }

    private static func differences(_ kind: String, _ device: Set<String>, _ server: Set<String>) -> [String] {
        device.subtracting(server).sorted().map { "the \(kind) \($0) is not at the server" }
            + server.subtracting(device).sorted().map { "the \(kind) \($0) is at the server alone" }
    }

    private static func hash(_ sound: Data?) -> String? {
        guard let sound, let hash = try? MessageDigest.hash(sound, .sha256) else { return nil }
        return Hexadecimal.text(hash)
    }
}

// SPDX-License-Identifier: MIT

import FoundationEssentials
import ObjectStore

/// The bytes of an unfinished upload that are in an object store, in the order of the sound: parts of a multipart upload,
/// and after them small objects that are too short for a part.
///
/// The upload's row holds it as JSON. A byte counts once the row says so, and only the owner of the row's lease changes
/// the row: what a request without the lease still writes has a name or a number of its own, and is never read.
struct StagedPieces: Codable, Sendable, Hashable {
    /// A part of the multipart upload.
    struct Part: Codable, Sendable, Hashable {
        let number: Int
        let tag: String
        let length: Int
    }

    /// An object with some bytes.
    struct Piece: Codable, Sendable, Hashable {
        let name: String
        let length: Int
    }

    /// The store's id of the multipart upload; nil before the first part.
    private(set) var upload: String?
    /// The number of the next part. A number is used once, also if its part does not count.
    private(set) var next = 1
    private(set) var parts: [Part] = []
    /// The bytes after the parts.
    private(set) var tail: [Piece] = []

    /// No bytes.
    init() {}

    /// - Parameter text: The row's JSON; nil for no bytes.
    init(stored text: String?) throws {
        self = try text.map { try JSONDecoder().decode(StagedPieces.self, from: Data($0.utf8)) } ?? StagedPieces()
    }

    /// The row's JSON.
    var stored: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }

    var tailLength: Int { tail.reduce(0) { $0 + $1.length } }
    var length: Int { parts.reduce(tailLength) { $0 + $1.length } }

    /// The pieces with a multipart upload.
    func begun(_ id: String) -> StagedPieces {
        var changed = self
        changed.upload = id
        return changed
    }

    /// The pieces after a number was taken for a part.
    func reserved() -> StagedPieces {
        var changed = self
        changed.next += 1
        return changed
    }

    /// The pieces with a part that holds the tail and `count` bytes more.
    func adding(_ part: ObjectPart, _ count: Int) -> StagedPieces {
        var changed = self
        changed.parts.append(Part(number: part.number, tag: part.tag, length: tailLength + count))
        changed.tail = []
        return changed
    }

    func adding(_ piece: Piece) -> StagedPieces {
        var changed = self
        changed.tail.append(piece)
        return changed
    }
}

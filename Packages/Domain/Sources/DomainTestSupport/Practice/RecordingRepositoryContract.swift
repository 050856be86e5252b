// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// A repository without recordings, and recordings for it.
public struct RecordingRepositorySubject: Sendable {
    let repository: any RecordingRepository
    let sample: @Sendable (Int) throws -> RecordingSample

    /// A subject.
    ///
    /// - Parameters:
    ///   - repository: The repository; it has no recordings.
    ///   - sample: A recording that differs for each number; a greater number is later, and longer.
    public init(repository: any RecordingRepository, sample: @escaping @Sendable (Int) throws -> RecordingSample) {
        self.repository = repository
        self.sample = sample
    }

    func bytes(of id: Identifier<Recording>) async throws -> [UInt8] {
        let content = try await repository.content(of: id)
        var bytes: [UInt8] = []
        while true {
            let piece = try await content.bytes(at: bytes.count, maximum: 1_000)
            try require(piece.count <= 1_000, "more bytes than were asked for")
            if piece.isEmpty { break }
            bytes += piece
        }
        try require(bytes.count == content.byteCount, "\(bytes.count) bytes, and \(content.byteCount) were promised")
        return bytes
    }
}

/// The contract of ``RecordingRepository``.
public enum RecordingRepositoryContract {
    /// Every promise.
    public static let checks: [ContractCheck<RecordingRepositorySubject>] = [
        .init("nothing is there at first") { subject in
            try await require(subject.repository.recordings(after: nil, limit: 10).isEmpty, "recordings out of nothing")
            try await require(subject.repository.recording(.init()) == nil, "found what never was")
            try await require(!subject.repository.delete(.init()), "deleted what never was")
            try await requireError(code: "notFound") { _ = try await subject.repository.content(of: .init()) }
        },
        .init("a recording is read back unchanged, byte for byte") { subject in
            for number in 0..<3 {
                let sample = try subject.sample(number)
                try await subject.repository.store(sample.recording, content: sample.content)
                try await require(subject.repository.recording(sample.recording.id) == sample.recording, "it changed")
                try await require(subject.bytes(of: sample.recording.id) == sample.content.bytes, "the sound changed")
            }
        },
        .init("any stretch of the sound can be read") { subject in
            let sample = try subject.sample(2)
            try await subject.repository.store(sample.recording, content: sample.content)
            let content = try await subject.repository.content(of: sample.recording.id)
            let count = sample.content.bytes.count
            for (offset, maximum) in [(0, 1), (1, 7), (count - 1, 5), (count, 5), (count + 10, 1), (count / 2, count)] {
                let expected = sample.content.bytes(at: offset, maximum: maximum)
                let read = try await content.bytes(at: offset, maximum: maximum)
                // A read may return fewer bytes, but is empty only at the end.
                let isStart = read == Array(expected.prefix(read.count)) && (read.isEmpty == expected.isEmpty)
                try require(isStart, "\(maximum) bytes at \(offset)")
            }
        },
        .init("a recording stored twice is there once") { subject in
            let sample = try subject.sample(1)
            for _ in 0..<2 { try await subject.repository.store(sample.recording, content: sample.content) }
            try await require(subject.repository.recordings(after: nil, limit: 10) == [sample.recording], "doubled")
        },
        .init("what is not the sound that it says is turned down, and not kept") { subject in
            let (one, two) = (try subject.sample(0), try subject.sample(1))
            let longer = InMemoryContent(one.content.bytes + [0])
            let changed = InMemoryContent(one.content.bytes.dropLast() + [~(one.content.bytes.last ?? 0)])
            for content in [longer, changed, two.content, InMemoryContent([])] {
                try await requireError(code: "invalidInput") {
                    try await subject.repository.store(one.recording, content: content)
                }
            }
            try await require(subject.repository.recording(one.recording.id) == nil, "kept")
            try await subject.repository.store(one.recording, content: one.content)
            try await require(subject.bytes(of: one.recording.id) == one.content.bytes, "spoiled for the right one")
        },
        .init("recordings are listed in pages, the newest first") { subject in
            let samples = try (0..<5).map(subject.sample)
            for sample in samples { try await subject.repository.store(sample.recording, content: sample.content) }
            var listed: [Recording] = []
            while true {
                let page = try await subject.repository.recordings(
                    after: listed.last.map { RecordingCursor(after: $0) }, limit: 2)
                if page.isEmpty { break }
                try require(page.count <= 2, "\(page.count) on a page of 2")
                listed += page
            }
            try require(listed == samples.map(\.recording).reversed(), "lost, doubled, or in another order")
        },
        .init("pages stay right when recordings come and go between them") { subject in
            let samples = try (1..<7).map(subject.sample)
            for sample in samples { try await subject.repository.store(sample.recording, content: sample.content) }
            var (listed, cursor): ([Recording], RecordingCursor?) = ([], nil)
            while true {
                let page = try await subject.repository.recordings(after: cursor, limit: 2)
                guard let last = page.last else { break }
                listed += page
                cursor = RecordingCursor(after: last)
                // The recording of the cursor is deleted, and a newer one is stored.
                try await require(subject.repository.delete(last.id), "it was there")
                let newer = try subject.sample(10 + listed.count)
                try await subject.repository.store(newer.recording, content: newer.content)
            }
            try require(listed == samples.map(\.recording).reversed(), "lost, doubled, or in another order")
            let oldest = RecordingCursor(after: samples[0].recording)
            try await require(subject.repository.recordings(after: oldest, limit: 2).isEmpty, "older than the oldest")
        },
        .init("what is deleted is gone, sound and all, and the rest stays") { subject in
            let samples = try (0..<2).map(subject.sample)
            for sample in samples { try await subject.repository.store(sample.recording, content: sample.content) }
            let id = samples[0].recording.id
            try await require(subject.repository.delete(id), "it was there")
            try await require(!subject.repository.delete(id), "deleted twice")
            try await require(subject.repository.recording(id) == nil, "still there")
            try await requireError(code: "notFound") { _ = try await subject.repository.content(of: id) }
            try await require(
                subject.bytes(of: samples[1].recording.id) == samples[1].content.bytes, "the rest changed")
        },
        .init("recordings stored at the same time are all there, each once") { subject in
            let samples = try (0..<4).map(subject.sample)
            try await concurrently(8) { number in
                let sample = samples[number % 4]
                try await subject.repository.store(sample.recording, content: sample.content)
            }
            let listed = try await subject.repository.recordings(after: nil, limit: 10)
            try require(listed == samples.map(\.recording).reversed(), "lost or doubled")
            for sample in samples {
                try await require(subject.bytes(of: sample.recording.id) == sample.content.bytes, "the sound changed")
            }
        },
        .init("a cancelled store keeps nothing and says so") { subject in
            let sample = try subject.sample(1)
            try await requireCancelled {
                try await subject.repository.store(sample.recording, content: sample.content)
            }
            try await require(subject.repository.recording(sample.recording.id) == nil, "kept all the same")
        },
    ]
}

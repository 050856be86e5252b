// SPDX-License-Identifier: MIT

import Domain
import Synchronization
import Testing

@Suite struct ExportEverythingTests {
    private final class Archive: ExportArchive {
        private let state = Mutex<(files: [(name: String, bytes: [UInt8])], isFinished: Bool)>(([], false))
        var order: [String] { state.withLock { $0.files.map(\.name) } }
        var isFinished: Bool { state.withLock { $0.isFinished } }

        func bytes(of name: String) -> [UInt8]? { state.withLock { $0.files.first { $0.name == name }?.bytes } }

        func add(
            _ name: String, size: Int, _ content: (_ write: ([UInt8]) async throws -> Void) async throws -> Void
        ) async throws {
            var bytes: [UInt8] = []
            try await content { bytes += $0 }
            state.withLock { $0.files.append((name, bytes)) }
        }

        func finish() { state.withLock { $0.isFinished = true } }
    }

    private struct Source: PersonalDataSource {
        let name: String
        var counts: [String: Int] = [:]
        var failure: DomainError?

        func export(to archive: any ExportArchive) async throws -> [String: Int] {
            if let failure { throw failure }
            try await archive.add(name, [1, 2, 3])
            return counts
        }
    }

    @Test func `every part is written in order and counted`() async throws {
        let archive = Archive()
        let counts = try await ExportEverything([
            Source(name: "b", counts: ["results": 2]), Source(name: "a", counts: ["results": 1, "messages": 4]),
        ])(to: archive)
        #expect(counts == ["results": 3, "messages": 4])
        #expect(archive.order == ["b", "a"])
        #expect(archive.bytes(of: "a") == [1, 2, 3])
        #expect(archive.isFinished)
    }

    @Test func `an export that lacks a part is not completed`() async {
        let archive = Archive()
        let export = ExportEverything([
            Source(name: "a"), Source(name: "b", failure: .offline("No route.")), Source(name: "c"),
        ])
        await #expect(throws: DomainError.offline("No route.")) { try await export(to: archive) }
        #expect(archive.order == ["a"])
        #expect(!archive.isFinished)
    }

    @Test func `a cancelled export is not completed`() async {
        let archive = Archive()
        let running = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await ExportEverything([Source(name: "a")])(to: archive)
        }
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(!archive.isFinished)
    }
}

// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import FoundationEssentials

extension CompositionRoot {
    /// Writes all that there is of the person, here and at the server, into one archive; how many of what.
    func exportEverything(_ practice: PracticeServices, to path: String) async throws -> [String: Int] {
        let file = try ArchiveFile(path)
        let archive = TarWriter(modifiedAt: Int64(Date().timeIntervalSince1970)) { try await file.write($0) }
        let export = DeviceExport(
            results: practice.results, recordings: practice.recordings, evaluations: practice.evaluations,
            conversations: try await conversations())
        var counts = try await export.write(to: archive)
        let inputs = try chatHistory.content()
        if !inputs.isEmpty {
            try await archive.begin("chat-inputs.jsonl", size: inputs.count)
            try await archive.write(inputs)
            try await archive.end(size: inputs.count)
            counts["chatInputs"] = try chatHistory.load().count
        }
        if let rights = practice.rights { try await addServer(rights, to: archive) }
        try await archive.finish()
        try await file.finish()
        return counts
    }

    /// A file in an archive has to say its length first, so what the server sends waits in a file without a name.
    private func addServer(_ rights: RemoteDataRights, to archive: TarWriter) async throws {
        let waiting = try SpooledFile(in: paths.data)
        try await rights.export { try await waiting.append($0) }
        let size = await waiting.size
        try await archive.begin("server.tar", size: size)
        var offset = 0
        while case let piece = try await waiting.read(at: offset, maximum: 64 << 10), !piece.isEmpty {
            try await archive.write(piece)
            offset += piece.count
        }
        try await archive.end(size: size)
    }

    /// Deletes all that there is of the person, first at the server; without its answer nothing is deleted here either.
    func deleteEverything(_ practice: PracticeServices) async throws -> [DeletionReceipt] {
        var receipts: [DeletionReceipt] = []
        if let rights = practice.rights { receipts.append(try await rights.delete()) }
        let recordings = try await practice.index.all()
        var counts = try await practice.database.erase(owner: practice.account, queue: practice.queue)
        if !recordings.isEmpty {
            let folder = try await practice.folder()
            for recording in recordings { try await folder.remove(recording.id) }
        }
        counts["messages"] = try await conversations().removeAll()
        let inputs = try chatHistory.load().count
        try chatHistory.remove()
        if inputs > 0 { counts["chatInputs"] = inputs }
        let receipt = DeletionReceipt(
            id: UUID().uuidString.lowercased(), place: .device, deletedAt: Date(), counts: counts)
        return receipts + [receipt]
    }
}

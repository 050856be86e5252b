// SPDX-License-Identifier: MIT

import Domain
import Persistence

/// What an item of the queue says is to be done, as it is stored.
struct SyncWorkRecord: Codable, Equatable {
    enum Kind: String, Codable {
        case upload
        case result
        case deletion
        case resultDeletion = "result-deletion"
    }

    let kind: Kind
    let id: String

    init(_ work: SyncItem.Work) {
        switch work {
        case .uploadRecording(let id): (kind, self.id) = (.upload, id.description)
        case .sendResult(let id): (kind, self.id) = (.result, id.description)
        case .deleteRecording(let id): (kind, self.id) = (.deletion, id.description)
        case .deleteResult(let id): (kind, self.id) = (.resultDeletion, id.description)
        }
    }

    var work: SyncItem.Work? {
        switch kind {
        case .upload: Identifier<Recording>(id).map(SyncItem.Work.uploadRecording)
        case .result: Identifier<PracticeResult>(id).map(SyncItem.Work.sendResult)
        case .deletion: Identifier<Recording>(id).map(SyncItem.Work.deleteRecording)
        case .resultDeletion: Identifier<PracticeResult>(id).map(SyncItem.Work.deleteResult)
        }
    }
}

extension SyncItem.Work {
    /// What the queue tells repetitions by.
    var idempotencyKey: String {
        switch self {
        case .uploadRecording(let id): "recording:\(id)"
        case .sendResult(let id): "result:\(id)"
        case .deleteRecording(let id): "deletion:\(id)"
        case .deleteResult(let id): "result-deletion:\(id)"
        }
    }

    /// The work that a deletion undoes at the server; nil for other work.
    var undone: SyncItem.Work? {
        switch self {
        case .deleteRecording(let id): .uploadRecording(id)
        case .deleteResult(let id): .sendResult(id)
        case .uploadRecording, .sendResult: nil
        }
    }

    /// What is done one after another: all that is about one recording, or about one result that has none.
    func orderingKey(after recording: Identifier<Recording>?) -> String? {
        switch self {
        case .uploadRecording(let id), .deleteRecording(let id): "recording:\(id)"
        case .sendResult(let id), .deleteResult(let id): recording.map { "recording:\($0)" } ?? "result:\(id)"
        }
    }
}

extension OutboxItem {
    /// What is to be done; `nil` when a newer program put it there.
    var work: SyncItem.Work? { (try? decode(SyncWorkRecord.self))?.work }
}

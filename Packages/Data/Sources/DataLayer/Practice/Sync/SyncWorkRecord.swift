// SPDX-License-Identifier: MIT

import Domain
import Persistence

/// What an item of the queue says is to be done, as it is stored.
struct SyncWorkRecord: Codable, Equatable {
    enum Kind: String, Codable {
        case upload
        case result
        case deletion
    }

    let kind: Kind
    let id: String

    init(_ work: SyncItem.Work) {
        switch work {
        case .uploadRecording(let id): (kind, self.id) = (.upload, id.description)
        case .sendResult(let id): (kind, self.id) = (.result, id.description)
        case .deleteRecording(let id): (kind, self.id) = (.deletion, id.description)
        }
    }

    var work: SyncItem.Work? {
        switch kind {
        case .upload: Identifier<Recording>(id).map(SyncItem.Work.uploadRecording)
        case .result: Identifier<PracticeResult>(id).map(SyncItem.Work.sendResult)
        case .deletion: Identifier<Recording>(id).map(SyncItem.Work.deleteRecording)
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
        }
    }

    /// What is done one after another: all that is about one recording.
    func orderingKey(after recording: Identifier<Recording>?) -> String? {
        switch self {
        case .uploadRecording(let id), .deleteRecording(let id): "recording:\(id)"
        case .sendResult: recording.map { "recording:\($0)" }
        }
    }
}

extension OutboxItem {
    /// What is to be done; `nil` when a newer program put it there.
    var work: SyncItem.Work? { (try? decode(SyncWorkRecord.self))?.work }
}

// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import Domain
import FoundationEssentials
import HTTPServer
import Networking
import ObjectStore
import PracticeWire

/// The server's data of an account, as one tar archive: JSON, a line for each result, and the sound as it was uploaded.
/// It is written while it is sent; only a page of it is in memory.
struct AccountExport: Sendable {
    private static let pageSize = 200
    /// A small page, since an evaluation may be long.
    private static let recordingPageSize = 25

    let recordings: RecordingStore
    let jobs: EvaluationJobs
    let presence: PresenceStore
    let deletions: DeletionStore
    let sync: SyncStore
    let sounds: SoundStore
    let audit: AuditLog
    let clock: AuthClock
    let results: @Sendable (_ account: String) -> any PracticeRepository
    /// Returns the token's account.
    let account: @Sendable (_ accessToken: String) async throws -> Account
    /// Returns the sessions of the token's account.
    let sessions: @Sendable (_ accessToken: String) async throws -> [Session]

    func answer(_ member: Member) -> ServerResponse {
        .stream(
            headers: [
                "Content-Type": "application/x-tar",
                "Content-Disposition": #"attachment; filename="parley-account.tar""#,
            ]
        ) { writer in
            let archive = TarWriter(modifiedAt: clock.now().seconds) { try await writer.write($0) }
            try await archive.add("README.txt", Array(Self.explanation.utf8))
            try await archive.add("account.json", account(member))
            try await archive.add("sessions.json", list(sessions(member.accessToken).map(SessionItem.init)))
            try await archive.add(
                "receipts.json", list(deletions.receipts(of: member.account).map(DeletionReceiptDTO.init)))
            try await archive.add("sync.json", objects(of: member.account))
            try await addEvents(of: member.account, to: archive)
            try await addResults(of: member.account, to: archive)
            let missing = try await addRecordings(of: member.account, to: archive)
            try await archive.add("missing.json", list(missing))
            try await archive.finish()
        }
    }

    private func account(_ member: Member) async throws -> [UInt8] {
        struct Item: Encodable {
            let profile: ProfileDTO
            let userMetadata: AccountMetadata
            let lastSeenAt: String?
            let confirmedAt: String?
            let invitedAt: String?
            let bannedUntil: String?

            enum CodingKeys: String, CodingKey {
                case profile
                case userMetadata = "user_metadata"
                case lastSeenAt = "last_seen_at"
                case confirmedAt = "confirmed_at"
                case invitedAt = "invited_at"
                case bannedUntil = "banned_until"
            }
        }
        let account = try await account(member.accessToken)
        return try WireJSON.encode(
            Item(
                profile: ProfileDTO(member.profile), userMetadata: account.metadata,
                lastSeenAt: await presence.lastSeen(member.account)?.wireText,
                confirmedAt: account.confirmedAt?.wireText, invitedAt: account.invitedAt?.wireText,
                bannedUntil: account.bannedUntil?.wireText))
    }

    private func addEvents(of account: String, to archive: TarWriter) async throws {
        struct Item: Encodable {
            let time: String
            let event: String
            let details: [String: String]
        }
        await audit.flush()
        var last: AuditEntry?
        for number in 1... {
            let page = try await audit.page(of: account, after: last, limit: Self.pageSize)
            if page.isEmpty { break }
            var lines: [UInt8] = []
            for entry in page {
                let item = Item(time: entry.at.wireText, event: entry.event, details: entry.details)
                lines += try WireJSON.encode(item) + [10]
            }
            try await archive.add("audit/\(number).jsonl", lines)
            last = page.last
        }
    }

    /// The number alone: nobody but the account's devices can read the objects.
    private func objects(of account: String) async throws -> [UInt8] {
        struct Item: Encodable {
            let objects: Int
            let bytes: Int
        }
        let usage = try await sync.usage(of: account)
        return try WireJSON.encode(Item(objects: usage.objects, bytes: usage.bytes))
    }

    private func addResults(of account: String, to archive: TarWriter) async throws {
        let repository = results(account)
        var cursor: PracticeCursor?
        for number in 1... {
            let page = try await repository.page(PracticeQuery(limit: Self.pageSize), after: cursor)
            if page.results.isEmpty { break }
            var lines: [UInt8] = []
            for result in page.results { lines += try WireJSON.encode(PracticeResultDTO(result)) + [10] }
            try await archive.add("practice/\(number).jsonl", lines)
            guard let next = page.next else { break }
            cursor = next
        }
    }

    /// - Returns: The recordings whose sound is not in the archive.
    private func addRecordings(of account: String, to archive: TarWriter) async throws -> [MissingSound] {
        var missing: [MissingSound] = []
        struct Item: Encodable {
            let recording: RecordingDTO
            let evaluation: EvaluationStateDTO?
            let file: String
        }
        var cursor: RecordingCursor?
        for number in 1... {
            let page = try await recordings.page(of: account, after: cursor, limit: Self.recordingPageSize)
            guard let last = page.last else { break }
            var lines: [UInt8] = []
            for recording in page {
                let state = try await jobs.state(of: recording.id, account: account)
                lines += try WireJSON.encode(
                    Item(recording: RecordingDTO(recording), evaluation: state, file: Self.name(of: recording)))
                lines.append(10)
            }
            try await archive.add("recordings/\(number).jsonl", lines)
            for recording in page {
                if let lost = try await addSound(of: recording, account: account, to: archive) { missing.append(lost) }
            }
            cursor = RecordingCursor(after: last)
        }
        return missing
    }

    /// - Returns: The reason why the sound is not completely in the archive; nil if it is, or if it was deleted
    ///   meanwhile.
    /// - Throws: Any other error: the archive is then cut off, since a later attempt may succeed.
    private func addSound(
        of recording: Recording, account: String, to archive: TarWriter
    ) async throws -> MissingSound? {
        let sound: StoredObject
        do {
            sound = try await sounds.open(recording.id, of: account)
        } catch let error as ObjectStoreError where error.code == .notFound {
            guard try await recordings.recording(recording.id, of: account) != nil else { return nil }
            return MissingSound(recording.id, "The server has lost the sound.")
        }
        let size = sound.info.size
        try await archive.add(Self.name(of: recording), size: size) { write in
            for try await piece in sound.chunks { try await write(piece) }
        }
        guard size != recording.byteCount else { return nil }
        return MissingSound(
            recording.id, "The sound is damaged: of \(recording.byteCount) bytes the server has \(size).")
    }

    private static func name(of recording: Recording) -> String {
        "recordings/\(recording.id).\(recording.format == .flac ? "flac" : "opus")"
    }

    private func list(_ items: [some Encodable]) throws -> [UInt8] { try WireJSON.encode(items) }

    private struct MissingSound: Encodable {
        let id: String
        let reason: String

        init(_ id: Identifier<Recording>, _ reason: String) { (self.id, self.reason) = (id.description, reason) }
    }

    private struct SessionItem: Encodable {
        let id: String
        let device: String
        let createdAt: String
        let lastUsedAt: String

        enum CodingKeys: String, CodingKey {
            case id, device
            case createdAt = "created_at"
            case lastUsedAt = "last_used_at"
        }

        init(_ session: Session) {
            id = session.id
            device = session.device
            createdAt = session.createdAt.wireText
            lastUsedAt = session.rotatedAt.wireText
        }
    }

    private static let explanation = """
        Everything that this server has of your account.

        account.json            who you are, what your programs have stored at the account (user_metadata), and when you
                                were last seen, confirmed, invited and blocked
        sessions.json           where you are signed in
        receipts.json           what you had deleted before
        sync.json               how many sealed objects your devices have left here for each other, and their bytes
        audit/N.jsonl           sign-ins and other events of your account, the newest first: a JSON object a line
        practice/N.jsonl        your results, the newest first: a JSON object a line
        recordings/N.jsonl      your recordings and what was made of them, the newest first: a JSON object a line
        recordings/NAME.flac    the sound, as it was sent; .opus is Opus in Ogg
        missing.json            the recordings whose sound is lost or damaged at the server, and why; [] when all of it is here

        An upload that is not finished is not in it, nor are the sealed objects: only your devices can read them.
        Counts of mails and wrong codes, which limit attacks and end by themselves, are not in it either.

        """
}

extension AuthTime {
    fileprivate var wireText: String { WireTime.text(of: RecordingRow.date(milliseconds)) }
}

// SPDX-License-Identifier: MIT

import DataLayer
import Diagnostics
import Digests
import Domain
public import FoundationEssentials
import HTTPServer
import Networking
public import PracticeWire
import Security

/// The catalogue of a server's home, for its operator. A running server shows the changes at once.
public struct CueCatalogue: Sendable {
    private let lock: HomeLock
    private let stores: PracticeStores
    private let now: @Sendable () -> Date

    /// Opens the catalogue, or makes a new one, with the starter cues.
    ///
    /// - Parameter database: The URL of the server's PostgreSQL database; nil for the files of the home.
    public init(
        home: String, database: String? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        try FileManager.default.createDirectory(
            atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        lock = try HomeLock(home, for: .command)
        try ServerRestore.checkFinished(home)
        var options = ServerOptions(home: home, mail: .folder(home))
        options.database = database
        let storage = try await ServerStorage.open(options, logger: .disabled)
        do {
            stores = try await PracticeStores(storage, home: home)
        } catch {
            await storage.close()
            throw error
        }
        self.now = now
    }

    /// Closes the files.
    public func close() async {
        await stores.storage.close()
        lock.release()
    }

    /// Adds cues, or replaces those with the same id: a JSON object a line, as in `GET /cues/{id}`. All of them or
    /// none.
    ///
    /// `id` and `created_at` may be missing. The id is then made from language and text, so that adding the same file
    /// again changes nothing.
    ///
    /// - Returns: The number of lines.
    /// - Throws: ``CueImportError`` with every invalid line.
    public func add(jsonLines text: String) async throws -> Int {
        var (cues, problems) = ([Cue](), [String]())
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { !$0.isWhitespace }) else { continue }
            do {
                cues.append(try await cue(String(line), index))
            } catch let failure as MappingFailure {
                problems.append("line \(index + 1): \(failure)")
            }
        }
        guard problems.isEmpty else { throw CueImportError(problems: problems) }
        try await stores.cues.add(cues)
        return cues.count
    }

    /// All cues in the catalogue's order, a page at a time.
    public func forEachPage(_ body: ([CueDTO]) throws -> Void) async throws {
        var cursor: CueCursor?
        repeat {
            let page = try await stores.cues.page(CueQuery(limit: 200), after: cursor)
            try body(page.cues.map(CueDTO.init))
            cursor = page.next
        } while cursor != nil
    }

    /// Removes a cue. The recordings and results of people stay.
    ///
    /// - Returns: True if it existed.
    public func remove(_ id: String) async throws -> Bool {
        guard let id = Identifier<Cue>(id), try await stores.cues.cue(id) != nil else { return false }
        try await stores.cues.remove([id])
        return true
    }

    private func cue(_ line: String, _ index: Int) async throws -> Cue {
        let message = try WireJSON.decode(ImportedCue.self, from: line.utf8)
        let id = try message.id ?? Self.name(of: message)
        var createdAt = message.createdAt
        if createdAt == nil, let known = Identifier<Cue>(id) {
            // An existing cue keeps its position; lines of one file keep their order.
            let old = try await stores.cues.cue(known)?.createdAt
            createdAt = WireTime.text(of: old ?? now().addingTimeInterval(Double(index) / 1_000))
        }
        var item = message.item(id: id, createdAt: createdAt ?? "")
        if message.hint?.isEmpty == true { item.hint = nil }
        return try item.cue()
    }

    /// A UUID of version 8 (RFC 9562 §5.8).
    private static func name(of cue: ImportedCue) throws -> String {
        var bytes = Array(try SHA256.hash(Array("\(cue.language)\n\(cue.text)".utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array(Hexadecimal.text(bytes))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}

/// A line of an operator's file.
private struct ImportedCue: Decodable {
    let id: String?
    let text: String
    let language: String
    let topic: String
    let level: Int
    let hint: String?
    let createdAt: String?

    enum CodingKeys: String, CodingKey {
        case id, text, language, topic, level, hint
        case createdAt = "created_at"
    }

    func item(id: String, createdAt: String) -> CueDTO {
        var item = CueDTO(StarterCues.all[0])
        (item.id, item.text, item.language, item.topic) = (id, text, language, topic)
        (item.level, item.hint, item.createdAt) = (level, hint, createdAt)
        return item
    }
}

/// The invalid lines of a file.
public struct CueImportError: Error, CustomStringConvertible {
    /// One sentence for each line.
    public let problems: [String]

    /// The problems, one on a line.
    public var description: String { (problems + ["Nothing was added."]).joined(separator: "\n") }
}

/// The catalogue of cues. It is the same for all signed-in accounts.
struct CueEndpoints: Sendable {
    let catalogue: any CueRepository

    func add(to router: inout Router, _ access: AuthenticationMiddleware) {
        router.member(.get, "/cues", access) { _, request in
            let (query, cursor): (CueQuery, CueCursor?)
            do throws(MappingFailure) {
                (query, cursor) = try request.wireQuery.cueQuery()
            } catch {
                throw ServerProblem(error)
            }
            let page = CuePageDTO(try await catalogue.page(query, after: cursor))
            return try .revalidated(WireJSON.encode(page), for: request)
        }
        router.member(.get, "/cues/{id}", access) { _, request in
            guard let cue = try await catalogue.cue(request.identifier()) else { throw ServerProblem.notFound }
            return try .revalidated(WireJSON.encode(CueDTO(cue)), for: request)
        }
    }
}

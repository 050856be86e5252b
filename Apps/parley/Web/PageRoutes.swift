// SPDX-License-Identifier: MIT

import Concurrency
import DataVoice
import Domain
import FoundationEssentials
import HTTPServer
import LocalPage
import Localization
import Networking
import ProductVersion
import SealedRecordings
import StateKnowledge
import TerminalKit

/// Something that the page asked for and does not get.
struct PageRefusal: Error {
    let status: Int
    let sentence: Sentence

    init(_ sentence: Sentence, status: Int) { (self.status, self.sentence) = (status, sentence) }
}

/// The addresses of the page: its files, and below `/api` what it asks for. The data are those of the commands.
struct PageRoutes: Sendable {
    let app: CompositionRoot
    let keys: PageKeys
    let hub: EventHub
    let feed: LiveFeed
    let runs: PageRuns
    let isDeveloper: Bool
    #if DEBUG
        /// The switches and the network log of the developer's view; nil without it.
        var desk: DeveloperDesk?
    #endif

    /// All routes behind the guard.
    func router(port: @escaping @Sendable () -> Int) -> Router {
        var router = Router()
        #if DEBUG
            if let desk {
                router.use(desk.middleware)
                desk.addRoutes(to: &router)
                addBundle(to: &router)
            }
        #endif
        router.use(PageGuard(keys, port: port).middleware)
        router.use(Self.wording { [app] in await app.translator() })
        router.exchangeTokens(of: keys)
        router.serve(PageFiles.all)
        router.get("/theme.css") { _ in .text(PageTheme.sheet, contentType: "text/css; charset=utf-8") }
        router.get("/api/about") { _ in try .json(await about()) }
        router.get("/api/live") { [hub, feed] request in hub.response(to: request) { feed.snapshot($0) } }
        router.post("/api/live/{pid}") { [feed] request in
            struct Control: Decodable { let `do`: String }
            guard let pid = Int32(try request.parameter("pid")) else { throw ServerProblem.notFound }
            guard let control = RoomControl(rawValue: try await request.body.json(Control.self).do) else {
                throw PageRefusal("There is no such control.", status: 400)
            }
            guard await feed.send(control, to: pid) else { throw ServerProblem.notFound }
            return .noContent
        }
        addRuns(to: &router)
        addConsents(to: &router)
        addSound(to: &router)
        router.get("/api/map/{state}") { [app] request in
            guard let state = app.knowledge.state(named: try request.parameter("state")) else {
                throw ServerProblem.notFound
            }
            return .text(SVGMapRenderer().render(MapPicture(of: state)), contentType: "image/svg+xml")
        }
        return router
    }

    /// Says refusals and errors in the person's language.
    private static func wording(_ translator: @escaping @Sendable () async -> Translator) -> HTTPMiddleware {
        { handler in
            { request in
                do { return try await handler(request) } catch let refusal as PageRefusal {
                    throw ServerProblem(status: refusal.status, detail: await translator()(refusal.sentence))
                } catch let error as DomainError {
                    throw ServerProblem(status: 409, detail: await translator()(error.sentence))
                }
            }
        }
    }

    private struct About: Encodable {
        let version, language, direction, theme: String
        let isDeveloper: Bool
        let texts: [String: String]
    }

    private func about() async -> About {
        let console = await app.personalConsole()
        let translator = await app.translator()
        // The page shows what the JSON says of a setting, too.
        let texts = (PageFiles.texts + Setting.all.map(\.help)).map { ($0, translator(table: $0)) }
        return About(
            version: ProductVersion.current, language: translator.language.tag,
            direction: translator.language.isRightToLeft ? "rtl" : "ltr", theme: console.traits.themeName.rawValue,
            isDeveloper: isDeveloper, texts: Dictionary(texts) { first, _ in first })
    }

    // MARK: Commands

    private struct Words: Decodable {
        let words: [String]
        let input: String?
    }

    private func addRuns(to router: inout Router) {
        router.post("/api/run", bodyLimit: 5 << 20) { [runs] request in
            let asked = try await request.body.json(Words.self)
            let result = try await runs.result(of: asked.words, input: asked.input)
            return .text(result, contentType: "application/json")
        }
        router.post("/api/runs", bodyLimit: 5 << 20) { [runs] request in
            let run = try await runs.start(try await request.body.json(Words.self).words)
            return try .json(["run": run.id], status: 201)
        }
        router.get("/api/runs") { [runs] _ in try .json(["runs": await runs.entries]) }
        router.get("/api/runs/{id}") { [runs] request in
            let run = try await runs.run(try request.parameter("id"))
            let first = request.query["from"].flatMap(Int.init) ?? 0
            return .stream(headers: ["Content-Type": "application/x-ndjson"]) { writer in
                var next = max(0, first)
                for await _ in run.changes() {
                    let page = run.lines(from: next)
                    next = page.first + page.lines.count
                    for line in page.numbered { try await writer.write(line + "\n") }
                    if page.isOver { break }
                }
            }
        }
        router.post("/api/runs/{id}/input") { [runs] request in
            struct Line: Decodable { let line: String }
            let run = try await runs.run(try request.parameter("id"))
            try await run.write(try await request.body.json(Line.self).line + "\n")
            return .noContent
        }
        router.delete("/api/runs/{id}") { [runs] request in
            try await runs.run(try request.parameter("id")).stop()
            return .noContent
        }
    }

    // MARK: Consents

    private struct Waiting: Encodable {
        let id, number: String
        let server, tool, title: String
        let details: [String]
    }

    private func addConsents(to router: inout Router) {
        let folder = app.paths.pendingConsents
        router.get("/api/consents") { _ in
            let waiting = await BlockingCall.run {
                OwnSocket.paths(in: folder).compactMap { path -> Waiting? in
                    let reply: PendingConsent.Reply? = try? OwnSocket.exchange(PendingConsent.Message(), at: path)
                    guard let reply, let asked = reply.request else { return nil }
                    return Waiting(
                        id: String(path.dropFirst(folder.count + 1)), number: reply.number, server: asked.server,
                        tool: asked.tool, title: asked.title, details: asked.details)
                }
            }
            return try .json(["consents": waiting])
        }
        router.post("/api/consents/{id}") { request in
            let id = try request.parameter("id")
            let message = try await request.body.json(PendingConsent.Message.self)
            guard message.number != nil, message.answer != nil else {
                throw PageRefusal("The answer needs the question's number.", status: 400)
            }
            guard let path = OwnSocket.paths(in: folder).first(where: { $0 == "\(folder)/\(id)" }) else {
                throw ServerProblem.notFound
            }
            let isTaken = try await BlockingCall.run { () throws -> Bool in
                let reply: PendingConsent.Reply? = try OwnSocket.exchange(message, at: path)
                return reply?.isTaken ?? false
            }
            return try .json(["isTaken": isTaken])
        }
    }

    // MARK: Sound

    private func addSound(to router: inout Router) {
        router.get("/api/sound/{recording}") { [app] request in
            guard let name = NamePrefix(try request.parameter("recording")) else { throw ServerProblem.notFound }
            return try await Self.sound(name, in: app)
        }
    }

    /// A recording as it was encoded, which browsers play; it is never in a file of its own.
    private static func sound(_ name: NamePrefix, in app: CompositionRoot) async throws -> ServerResponse {
        let account = AccountOptions(for: DashboardCommand.specification)
        return try await app.withPractice(account, isOffline: true) { practice -> ServerResponse in
            let sound = try await practice.storage.sound(name)
            let reader = try await practice.storage.folder().open(sound.id)
            var bytes: [UInt8] = []
            while true {
                let piece = try await reader.encodedBytes(at: bytes.count, maximum: 1 << 20)
                if piece.isEmpty { break }
                bytes += piece
            }
            let isFLAC = bytes.starts(with: "fLaC".utf8)
            return .bytes(bytes, contentType: isFLAC ? "audio/flac" : "audio/ogg")
        }
    }
}

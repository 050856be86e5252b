// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import HTTPServer
import Networking
import PracticeWire

/// An account's results: the first one with an id stays, so that a repeated upload is harmless.
struct PracticeEndpoints: Sendable {
    /// The most bytes of one result, and of a batch.
    private static let limits = (result: 64 << 10, batch: 1 << 20)

    /// Returns the results of one account only.
    let results: @Sendable (_ account: String) -> any AccountResults

    func add(to router: inout Router, _ access: AuthenticationMiddleware) {
        let path = "/" + SyncedKind.result.path
        router.member(.get, path, access, handler: list)
        router.member(.get, "/changes", access, handler: changes)
        router.member(.post, path, access, bodyLimit: Self.limits.batch, handler: storeBatch)
        router.member(.put, path + "/{id}", access, bodyLimit: Self.limits.result, handler: store)
        router.member(.get, path + "/{id}", access) { member, request in
            guard let result = try await results(member.account).result(request.identifier()) else {
                throw ServerProblem.notFound
            }
            return try .json(PracticeResultDTO(result))
        }
        router.member(.delete, path + "/{id}", access) { member, request in
            guard try await results(member.account).delete(request.identifier()) else { throw ServerProblem.notFound }
            return .noContent
        }
    }

    private func list(_ member: Member, _ request: ServerRequest) async throws -> ServerResponse {
        let (query, cursor): (PracticeQuery, PracticeCursor?)
        do throws(MappingFailure) {
            (query, cursor) = try request.wireQuery.practiceQuery()
        } catch {
            throw ServerProblem(error)
        }
        return try .json(PracticePageDTO(await results(member.account).page(query, after: cursor)))
    }

    private func store(_ member: Member, _ request: ServerRequest) async throws -> ServerResponse {
        let id: Identifier<PracticeResult> = try request.identifier()
        let message: PracticeResultDTO = try await read(request, upTo: Self.limits.result)
        let result: PracticeResult
        do throws(MappingFailure) {
            result = try message.result()
        } catch {
            throw ServerProblem.unprocessable(error.description)
        }
        try Self.checkSize(result, "The result")
        guard result.id == id else { throw ServerProblem.unprocessable("“id” is not the name in the address.") }
        let repository = results(member.account)
        let isNew = try await !repository.insertReturningNew([result]).isEmpty
        // A result that was deleted since stays deleted, and its repeated upload succeeds.
        let stored = try await repository.result(id) ?? result
        return try .json(PracticeResultDTO(stored), status: isNew ? 201 : 200)
    }

    private func changes(_ member: Member, _ request: ServerRequest) async throws -> ServerResponse {
        let query: (after: Int64, limit: Int)
        do throws(MappingFailure) {
            query = try request.wireQuery.changesQuery()
        } catch {
            throw ServerProblem(error)
        }
        let changes = try await results(member.account).changes(after: query.after, limit: query.limit)
        return try .json(PracticeChangesDTO(changes))
    }

    private func storeBatch(_ member: Member, _ request: ServerRequest) async throws -> ServerResponse {
        let batch: PracticeBatchDTO = try await read(request, upTo: Self.limits.batch)
        let items: [PracticeResult]
        do throws(MappingFailure) {
            items = try batch.results()
        } catch {
            throw ServerProblem.unprocessable(error.description)
        }
        for (index, item) in items.enumerated() { try Self.checkSize(item, "“items.\(index)”") }
        try await results(member.account).store(items)
        return .noContent
    }

    private static func checkSize(_ result: PracticeResult, _ name: String) throws {
        guard try WireJSON.encode(PracticeResultDTO(result)).count <= limits.result else {
            throw ServerProblem.unprocessable("\(name) has more than \(limits.result) bytes.")
        }
    }

    private func read<Message: Decodable>(_ request: ServerRequest, upTo limit: Int) async throws -> Message {
        let body = try await request.body.collect(upTo: limit)
        do throws(MappingFailure) {
            return try WireJSON.decode(from: body)
        } catch {
            throw ServerProblem(error)
        }
    }
}

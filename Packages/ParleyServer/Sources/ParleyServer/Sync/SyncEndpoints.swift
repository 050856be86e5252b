// SPDX-License-Identifier: MIT

import AuthServer
import HTTPServer
import Networking
import SyncWire

/// The relay: sealed objects that the devices of one account leave for each other. It knows names, sizes and their order.
struct SyncEndpoints: Sendable {
    /// The most objects of one account that arrive at once: each is in memory while it does.
    static let arrivingObjects = 4
    private static let type = "application/octet-stream"

    let store: SyncStore
    let changes: ChangeStreams<SyncGroup>
    let slots: AccountSlots
    let streams: StreamAccess

    func add(to router: inout Router, _ access: AuthenticationMiddleware) {
        let objects = "/sync/{group}/objects"
        router.member(.get, objects, access, handler: list)
        router.member(.put, objects + "/{name}", access, bodyLimit: SyncLimit.objectByteCount, handler: create)
        router.member(.get, objects + "/{name}", access) { member, request in
            guard let bytes = try await store.content(of: name(request), in: group(member, request)) else {
                throw ServerProblem.notFound
            }
            return .bytes(bytes, contentType: Self.type)
        }
        router.member(.delete, objects + "/{name}", access) { member, request in
            try await store.remove(name(request), in: group(member, request))
            return .noContent
        }
        router.member(.get, "/sync/{group}/events", access, handler: events)
    }

    private func list(_ member: Member, _ request: ServerRequest) async throws -> ServerResponse {
        let cursor = request.query["after"].map { SyncCursor($0) }
        return try .json(RelayListing(await store.list(group(member, request), after: cursor)))
    }

    private func create(_ member: Member, _ request: ServerRequest) async throws -> ServerResponse {
        let (group, name) = (try group(member, request), try name(request))
        guard request.headers["Content-Type"] == Self.type else {
            throw ServerProblem(status: 415, detail: "The content type of an object is \(Self.type).")
        }
        return try await slots.run(member.account) {
            // Before the bytes are read, so that a refusal costs neither memory nor the network.
            let length = request.body.length ?? 0
            if length <= SyncLimit.objectByteCount,
                let refusal = try await store.refusal(of: name, size: length, in: group)
            {
                return try Self.answer(refusal)
            }
            let bytes = try await request.body.collect(upTo: SyncLimit.objectByteCount)
            let admission = try await store.create(name, bytes, in: group)
            if admission == .new { changes.created(in: group) }
            return try Self.answer(admission)
        }
    }

    private static func answer(_ admission: SyncAdmission) throws(ServerProblem) -> ServerResponse {
        switch admission {
        case .new: ServerResponse(status: 201)
        case .same: ServerResponse(status: 200)
        case .taken: throw ServerProblem(status: 409, detail: "There is an object of this name with other bytes.")
        case .tooMany:
            throw .relayIsFull("The account has as many objects as it may have. Remove some, then send it again.")
        case .overQuota(let free):
            throw .relayIsFull("The account has room for \(free) bytes. Remove some objects, then send it again.")
        }
    }

    private func events(_ member: Member, _ request: ServerRequest) async throws -> ServerResponse {
        let group = try group(member, request)
        let known = request.headers["Last-Event-ID"].map { SyncCursor($0) }
        let stream = try changes.stream(of: group)
        return .events { events in
            try await streams.run { try await send(events, stream, group, after: known, member.accessToken) }
        }
    }

    /// Sends the group's position now, unless the client knows it, and after each new object.
    private func send(
        _ events: EventWriter, _ stream: AsyncStream<Void>, _ group: SyncGroup, after known: SyncCursor?,
        _ token: String
    ) async throws {
        var known = known
        for await _ in stream {
            guard try await streams.holds(token) else { return }
            let position = try await store.position(of: group)
            if let known, !store.isNews(position, after: known) { continue }
            let event = ServerSentEvent(type: "changed", data: position.text, lastEventID: position.text)
            try await events.send(event)
            known = position
        }
    }

    private func group(_ member: Member, _ request: ServerRequest) throws -> SyncGroup {
        let text = try request.parameter("group")
        guard let id = SyncGroup.id(text) else {
            throw ServerProblem.badRequest(
                "A group is \(2 * SyncLimit.groupByteCount) hexadecimal digits in lower case.")
        }
        return SyncGroup(account: member.account, id: id)
    }

    private func name(_ request: ServerRequest) throws -> SyncObjectName {
        guard let name = SyncObjectName(try request.parameter("name")) else {
            throw ServerProblem.badRequest("The address does not name an object of a group.")
        }
        return name
    }
}

extension ServerProblem {
    /// 507 (RFC 4918 §11.5): a limit of the account is reached. Its `error_code` distinguishes it from a full disk.
    fileprivate static func relayIsFull(_ detail: String) -> ServerProblem {
        ServerProblem(status: 507, detail: detail, members: ["error_code": .string("limit_reached")])
    }
}

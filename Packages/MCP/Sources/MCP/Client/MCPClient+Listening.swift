// SPDX-License-Identifier: MIT

import Concurrency
import Networking
import StructuredJSON

/// A request that stays open for notifications of changes (`subscriptions/listen`, 2026-07-28).
struct MCPListening: Sendable {
    /// Ends the wait for the acknowledgement of a request that was stopped: another may have replaced it.
    struct Stopped: Error {}

    let task: Task<Void, Never>
    /// The resources that the request is about.
    let uris: Set<String>
    /// The part of the request that the server agreed to.
    let acknowledged: Promise<JSONValue>
    /// The id of the request, which is another each time it is repeated; nil before it is first sent.
    var requestID: JSONRPCID?

    func stop() {
        task.cancel()
        acknowledged.resolve(.failure(Stopped()))
    }
}

extension MCPClient {
    /// Repeats the log level and the subscriptions of the previous connection on a new one.
    func restore(_ connection: MCPConnection) {
        if connection.isStateless { return listenForChanges(on: connection) }
        let uris = subscribedURIs
        let level = connection.information.capabilities.hasLogging ? logLevel : nil
        guard !uris.isEmpty || level != nil else { return }
        tasks.add { [weak self] in
            if let level { try? await self?.send("logging/setLevel", ["level": .string(level)]) }
            for uri in uris { try? await self?.send("resources/subscribe", ["uri": .string(uri)]) }
        }
    }

    private func send(_ method: String, _ parameters: JSONObject) async throws {
        _ = try await request(method, parameters, defaultOptions) { !$0.version.isStateless }
    }

    /// Opens the stream of changes, anew if one is open. Opens none if no change can be reported.
    func listenForChanges(on connection: MCPConnection) {
        stopListening()
        let offered = connection.information.capabilities
        var filter: JSONObject = [:]
        if offered.tellsToolChanges { filter["toolsListChanged"] = true }
        if offered.tellsPromptChanges { filter["promptsListChanged"] = true }
        if offered.tellsResourceChanges { filter["resourcesListChanged"] = true }
        if !subscribedURIs.isEmpty {
            filter["resourceSubscriptions"] = .array(subscribedURIs.sorted().map(JSONValue.string))
        }
        guard !filter.isEmpty else { return }
        let acknowledged = Promise<JSONValue>()
        let task = Task { [weak self, clock, filter] in
            var wait = Duration.seconds(1)
            while !Task.isCancelled {
                let start = clock.now()
                // No part of this may hold on to the client while it waits: a client that is dropped ends it.
                guard let request = await self?.prepareListening(filter, acknowledged, on: connection)
                else { return }
                do {
                    _ = try await request.exchange(on: connection.transport)
                    await self?.stopListening(request.id, nil, acknowledged, on: connection)
                } catch {
                    await self?.stopListening(request.id, error, acknowledged, on: connection)
                    guard Self.isPassing(error) else { return }
                }
                // If the server ends the stream at once, the wait before the next request grows.
                wait = clock.now() - start > .seconds(60) ? .seconds(1) : min(wait * 2, .seconds(60))
                guard (try? await clock.sleep(wait)) != nil else { return }
            }
        }
        listening = MCPListening(task: task, uris: subscribedURIs, acknowledged: acknowledged)
    }

    /// True if the stream may be opened again later: the connection broke, or a gateway has no server at the moment.
    private static func isPassing(_ error: any Error) -> Bool {
        guard let error = error as? MCPError else { return false }
        return [.interrupted, .network].contains(error.code)
            || [.http, .server].contains(error.code) && error.status.map(NetworkError.isTransient(status:)) == true
    }

    /// - Returns: nil if the stream was stopped meanwhile, or its connection has ended.
    private func prepareListening(
        _ filter: JSONObject, _ acknowledged: Promise<JSONValue>, on connection: MCPConnection
    ) -> PreparedRequest? {
        guard listening?.acknowledged === acknowledged else { return nil }
        let request = try? prepare(
            "subscriptions/listen", ["notifications": .object(filter)], number: connection.number,
            stateless: connection.information.version, RequestOptions())
        listening?.requestID = request?.id
        return request
    }

    /// Handles the server's agreement to a stream. That to one that was stopped arrives late and says nothing about the
    /// open one.
    func acknowledged(_ parameters: JSONObject) {
        guard let listening, let requestID = listening.requestID else { return }
        if let id = parameters["_meta"]?["io.modelcontextprotocol/subscriptionId"] {
            // Some servers repeat the number as a text.
            guard (id.string ?? id.text) == requestID.description else { return }
        }
        listening.acknowledged.resolve(.success(parameters["notifications"] ?? .null))
    }

    /// The resources of the open stream, or of the one that replaces it meanwhile, and the part of its request that the
    /// server agreed to; nil if no stream is open.
    func agreement() async throws -> (uris: Set<String>, agreed: JSONValue)? {
        while let listening {
            do { return (listening.uris, try await listening.acknowledged.value()) } catch is MCPListening.Stopped {}
        }
        return nil
    }

    private func stopListening(
        _ id: JSONRPCID, _ error: (any Error)?, _ acknowledged: Promise<JSONValue>, on connection: MCPConnection
    ) {
        waiters[id] = nil
        guard let error else { return }
        giveUp(id, error, on: connection.transport)
        acknowledged.resolve(.failure(error))
    }

    /// Ends the stream of changes.
    func stopListening() {
        listening?.stop()
        listening = nil
    }
}

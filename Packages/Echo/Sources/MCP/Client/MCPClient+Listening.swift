// SPDX-License-Identifier: MIT

import Networking
import StructuredJSON

/// A request that stays open for notices of changes (`subscriptions/listen`, 2026-07-28).
struct MCPListening: Sendable {
    let task: Task<Void, Never>
    /// What of it the server agreed to.
    let acknowledged: Deferred<JSONValue>
}

extension MCPClient {
    /// What a new connection has to be told that the one before knew.
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

    /// Opens the stream of changes, anew if one is open. Nothing is opened where nothing can come.
    func listenForChanges(on connection: MCPConnection) {
        listening?.task.cancel()
        listening = nil
        let offered = connection.information.capabilities
        var filter: JSONObject = [:]
        if offered.tellsToolChanges { filter["toolsListChanged"] = true }
        if offered.tellsPromptChanges { filter["promptsListChanged"] = true }
        if offered.tellsResourceChanges { filter["resourcesListChanged"] = true }
        if !subscribedURIs.isEmpty {
            filter["resourceSubscriptions"] = .array(subscribedURIs.sorted().map(JSONValue.string))
        }
        guard !filter.isEmpty else { return }
        let acknowledged = Deferred<JSONValue>()
        let task = Task { [weak self, filter] in
            var wait = Duration.seconds(1)
            while !Task.isCancelled, let start = self?.clock.now(),
                await self?.listen(filter, on: connection, acknowledged) ?? false
            {
                if let end = self?.clock.now(), end - start > .seconds(60) { wait = .seconds(1) }
                // A server that ends the stream at once is asked ever less often.
                guard (try? await self?.clock.sleep(wait)) != nil else { return }
                wait = min(wait * 2, .seconds(60))
            }
        }
        listening = MCPListening(task: task, acknowledged: acknowledged)
    }

    /// - Returns: Whether to listen again.
    private func listen(
        _ filter: JSONObject, on connection: MCPConnection, _ acknowledged: Deferred<JSONValue>
    ) async -> Bool {
        do {
            _ = try await perform(
                "subscriptions/listen", ["notifications": .object(filter)], on: connection.transport,
                number: connection.number, stateless: connection.information.version, RequestOptions())
            // Whatever changed meanwhile was not told.
            return true
        } catch let error as MCPError {
            acknowledged.resolve(.failure(error))
            return error.code == .interrupted || error.code == .network
        } catch {
            return false
        }
    }
}

// SPDX-License-Identifier: MIT

import Concurrency
import Networking
import StructuredJSON

extension MCPClient {
    /// Checks that the server answers.
    public func ping() async throws {
        if try await connection().isStateless {
            // The stateless revision has no ping; this is its cheapest request.
            _ = try await request("server/discover", [:], defaultOptions) { _ in true }
        } else {
            _ = try await request("ping", [:], defaultOptions) { _ in true }
        }
    }

    /// Requests log messages from that level on (`debug`, `info`, `notice`, `warning`, `error`, `critical`, `alert`,
    /// `emergency`); they arrive as events. In the stateless revision they arrive with the later requests.
    public func setLogLevel(_ level: String) async throws {
        logLevel = level
        guard try await connection().isStateless == false else { return }
        _ = try await request("logging/setLevel", ["level": .string(level)], defaultOptions) {
            $0.capabilities.hasLogging
        }
    }

    /// The resources that the server lists.
    public func resources() async throws -> [MCPResource] {
        try await all("resources/list", "resources", { $0.hasResources }).compactMap { MCPResource(json: $0) }
    }

    /// The patterns of resources that the server lists.
    public func resourceTemplates() async throws -> [MCPResourceTemplate] {
        try await all("resources/templates/list", "resourceTemplates", { $0.hasResources })
            .compactMap { MCPResourceTemplate(json: $0) }
    }

    /// The contents of a resource: one as a rule, more for a folder.
    public func readResource(
        _ uri: String, onProgress: (@Sendable (MCPProgress) -> Void)? = nil
    ) async throws -> [MCPResourceContents] {
        var options = defaultOptions
        options.wantsProgress = true
        options.onProgress = onProgress
        let result = try await request("resources/read", ["uri": .string(uri)], options) {
            $0.capabilities.hasResources
        }
        return (result["contents"]?.array ?? []).compactMap { MCPResourceContents(json: $0) }
    }

    /// Requests an event whenever the resource changes. The subscription survives lost connections.
    ///
    /// - Throws: `MCPError` with the code `notOffered` if the server does not report changes of single resources.
    public func subscribe(to uri: String) async throws {
        let connection = try await connection()
        guard connection.information.capabilities.hasResourceSubscriptions else {
            throw MCPError(.notOffered, "The server \(server.name) does not tell when a resource changes.")
        }
        guard connection.isStateless else {
            _ = try await request("resources/subscribe", ["uri": .string(uri)], defaultOptions) { _ in true }
            subscribedURIs.insert(uri)
            return
        }
        subscribedURIs.insert(uri)
        do {
            listenForChanges(on: connection)
            guard let (uris, agreed) = try await acknowledgement() else {
                if current?.number == connection.number { return }
                throw lostConnection
            }
            // Another task has ended the subscription meanwhile, as it has if no stream is open.
            guard uris.contains(uri) else { return }
            guard agreed["resourceSubscriptions"]?.array?.contains(.string(uri)) ?? false else {
                throw MCPError(.notOffered, "The server \(server.name) does not tell when \(uri) changes.")
            }
        } catch {
            subscribedURIs.remove(uri)
            throw error
        }
    }

    private func acknowledgement() async throws -> (uris: Set<String>, agreed: JSONValue)? {
        let limit = server.timeouts.connect
        return try await withThrowingTaskGroup(of: (uris: Set<String>, agreed: JSONValue)?.self) { [clock] group in
            group.addTask { try await self.agreement() }
            group.addTask {
                try await clock.sleep(limit)
                throw MCPError(.timeout, "The server did not confirm the subscription in time.")
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    /// Ends the subscription to a resource.
    public func unsubscribe(from uri: String) async throws {
        guard subscribedURIs.remove(uri) != nil else { return }
        let connection = try await connection()
        guard connection.isStateless else {
            _ = try await request("resources/unsubscribe", ["uri": .string(uri)], defaultOptions) { _ in true }
            return
        }
        listenForChanges(on: connection)
    }

    /// The prompts that the server lists.
    public func prompts() async throws -> [MCPPrompt] {
        try await all("prompts/list", "prompts", { $0.hasPrompts }).compactMap { MCPPrompt(json: $0) }
    }

    /// A prompt, filled in.
    public func prompt(_ name: String, arguments: [String: String] = [:]) async throws -> MCPPromptResult {
        var options = defaultOptions
        options.wantsProgress = true
        var members: JSONObject = [:]
        for (name, value) in arguments.sorted(by: { $0.key < $1.key }) { members[name] = .string(value) }
        let parameters: JSONObject = ["name": .string(name), "arguments": .object(members)]
        return MCPPromptResult(
            json: try await request("prompts/get", parameters, options) { $0.capabilities.hasPrompts })
    }

    /// The elements of a list, from all its pages.
    func all(
        _ method: String, _ member: String, _ isOffered: (MCPServerCapabilities) -> Bool
    ) async throws -> [JSONValue] {
        var elements: [JSONValue] = []
        var cursor: String?
        var seen: Set<String> = []
        repeat {
            let parameters: JSONObject = cursor.map { ["cursor": .string($0)] } ?? [:]
            let result = try await request(method, parameters, defaultOptions) { isOffered($0.capabilities) }
            guard let page = result[member]?.array else {
                throw MCPError(.invalidAnswer, "The server's answer to \(method) has no \(member). Report it.")
            }
            elements += page
            cursor = result["nextCursor"]?.string
            // A list that leads back to itself, or never ends, is invalid.
            if let cursor, !seen.insert(cursor).inserted || seen.count > 1000 {
                throw MCPError(.invalidAnswer, "The server's pages of \(method) do not end. Report it to its maker.")
            }
        } while cursor != nil
        return elements
    }
}

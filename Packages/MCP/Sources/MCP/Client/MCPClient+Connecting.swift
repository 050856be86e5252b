// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials
import Networking
import StructuredJSON

extension MCPClient {
    /// The connection, made if it is missing. Concurrent callers share one attempt.
    func connection() async throws -> MCPConnection {
        switch state {
        case .connected(let connection): return connection
        case .connecting(let promise): return try await promise.value()
        case .closed: throw MCPError(.closed, "The client of \(server.name) was closed.")
        case .idle:
            let promise = Promise<MCPConnection>()
            state = .connecting(promise)
            tasks.add { [weak self] in await self?.establish(promise) }
            return try await promise.value()
        }
    }

    private func establish(_ promise: Promise<MCPConnection>) async {
        do {
            try await waitForTurn()
            let connection = try await negotiate()
            guard case .connecting = state else {
                await connection.transport.close()
                return
            }
            if let earlyEnd, earlyEnd.number == connection.number { throw earlyEnd.error }
            restarts.started(now: clock.now())
            state = .connected(connection)
            broadcast.send(.connected(connection.information))
            promise.resolve(.success(connection))
            restore(connection)
        } catch {
            let transport = current?.transport
            current = nil
            if case .connecting = state {
                if (error as? MCPError)?.code != .restartLimit { restarts.ended(now: clock.now()) }
                state = .idle
            }
            await transport?.close()
            promise.resolve(.failure(error))
        }
    }

    /// Delays the start of a program that ends again and again.
    private func waitForTurn() async throws {
        guard case .stdio = server.connection else { return }
        guard let delay = restarts.delay(unit: Double.random(in: 0..<1, using: &random)) else {
            throw MCPError(
                .restartLimit,
                "The server \(server.name) ended \(restarts.failures) times in a row and is not started again. "
                    + "Check its error log, then connect again.")
        }
        if delay > .zero { try await clock.sleep(delay) }
    }

    private func open() async throws -> any MCPTransport {
        let transport: any MCPTransport
        switch server.connection {
        case .stdio(let command):
            transport = StdioTransport(
                command, name: server.name, maximumMessageBytes: server.maximumMessageBytes,
                grace: server.timeouts.shutdown)
        case .http(let endpoint):
            try endpoint.check()
            transport = StreamableHTTPTransport(
                endpoint, http: try httpTransport(for: endpoint), clock: clock,
                maximumMessageBytes: server.maximumMessageBytes)
        }
        connectionCount += 1
        let number = connectionCount
        current = (number, transport)
        try await transport.open { [weak self] event in await self?.received(event, on: number) }
        return transport
    }

    private func httpTransport(for endpoint: MCPEndpoint) throws -> any HTTPTransport {
        if let http { return http }
        if let ownTransport { return ownTransport }
        var configuration = CurlTransport.Configuration()
        if endpoint.url.scheme?.lowercased() == "http" { configuration.plainHTTPHosts = [endpoint.host] }
        let transport = try CurlTransport(configuration: configuration)
        ownTransport = transport
        return transport
    }

    /// Finds the revision to speak: the stateless one by `server/discover`, else one with a handshake.
    private func negotiate() async throws -> MCPConnection {
        let offered = MCPProtocolVersion.all.filter { server.protocolVersions.contains($0) }
        let handshake = offered.last { !$0.isStateless }
        guard let stateless = offered.last(where: \.isStateless), !isKnownToShakeHands || handshake == nil else {
            guard let handshake else { throw Self.noVersion(server.name, nil) }
            return try await initialize(on: try await open(), offering: handshake)
        }
        let transport = try await open()
        do {
            if let connection = try await discover(stateless, on: transport, isOnlyWay: handshake == nil) {
                return connection
            }
        } catch let error as MCPError where error.code == .serverEnded && handshake != nil {
            // Some programs end at a first message that is not the handshake's.
            await transport.close()
            guard let handshake else { throw error }
            return try await initialize(on: try await open(), offering: handshake)
        }
        guard let handshake else { throw Self.noVersion(server.name, nil) }
        do {
            return try await initialize(on: transport, offering: handshake)
        } catch let error as MCPError where error.fault?.code == JSONRPCFault.unsupportedProtocolVersion {
            // The server was only slow: the request arrived before it was up, and its late answer was dropped.
            guard let connection = try await discover(stateless, on: transport, isOnlyWay: true) else { throw error }
            return connection
        }
    }

    static func noVersion(_ name: String, _ theirs: String?) -> MCPError {
        MCPError(
            .unsupportedVersion,
            "The server \(name) supports no requested revision of the protocol"
                + (theirs.map { " (it supports \($0))." } ?? ".") + " Allow more in protocolVersions, or update it.")
    }

    /// - Returns: `nil` if the server is not known to speak the stateless revision.
    private func discover(
        _ version: MCPProtocolVersion, on transport: any MCPTransport, isOnlyWay: Bool
    ) async throws -> MCPConnection? {
        let result: JSONValue
        /// A broken server, or its gateway, says nothing of its revisions.
        func isBroken(_ error: MCPError) -> Bool { isOnlyWay && (error.status ?? 0) >= 500 }
        do {
            var options = RequestOptions()
            options.longest = isOnlyWay ? server.timeouts.connect : server.timeouts.discover
            options.isCancellable = false
            result = try await perform(
                "server/discover", [:], on: transport, number: connectionCount, stateless: version, options)
        } catch let error as MCPError {
            switch error.code {
            case .server:
                let theirs = error.fault?.data?["supported"]?.array?.compactMap(\.string)
                if error.fault?.code == JSONRPCFault.unsupportedProtocolVersion, let theirs,
                    !theirs.contains(where: { text in
                        server.protocolVersions.contains { $0.rawValue == text && !$0.isStateless }
                    })
                {
                    throw Self.noVersion(server.name, theirs.joined(separator: ", "))
                }
                if isBroken(error), error.fault?.code != JSONRPCFault.methodNotFound { throw error }
                return nil
            case .timeout where isOnlyWay: throw error
            case .http where isBroken(error): throw error
            case .timeout, .http, .invalidAnswer, .sessionExpired: return nil
            default: throw error
            }
        }
        let versions = result["supportedVersions"]?.array?.compactMap(\.string) ?? []
        guard versions.contains(version.rawValue) else { return nil }
        transport.agreed(on: version)
        return MCPConnection(
            number: connectionCount, transport: transport,
            information: MCPServerInformation(
                version: version,
                server: MCPImplementation(json: result["_meta"]?["io.modelcontextprotocol/serverInfo"]),
                capabilities: MCPServerCapabilities(json: result["capabilities"]),
                instructions: result["instructions"]?.string))
    }

    private func initialize(on transport: any MCPTransport, offering version: MCPProtocolVersion) async throws
        -> MCPConnection
    {
        var options = RequestOptions()
        options.idle = server.timeouts.connect
        options.longest = server.timeouts.connect
        options.isCancellable = false
        let result = try await perform(
            "initialize",
            [
                "protocolVersion": .string(version.rawValue), "capabilities": Self.capabilities,
                "clientInfo": information.json,
            ], on: transport, number: connectionCount, stateless: nil, options)
        let theirs = result["protocolVersion"]?.string ?? ""
        let agreed = MCPProtocolVersion(rawValue: theirs)
        guard !agreed.isStateless, server.protocolVersions.contains(agreed), MCPProtocolVersion.all.contains(agreed)
        else {
            throw Self.noVersion(server.name, theirs.isEmpty ? nil : String(theirs.prefix(40)))
        }
        transport.agreed(on: agreed)
        try await transport.send(.notification(method: "notifications/initialized", parameters: [:]), headers: [:])
        transport.listen()
        isKnownToShakeHands = true
        return MCPConnection(
            number: connectionCount, transport: transport,
            information: MCPServerInformation(
                version: agreed, server: MCPImplementation(json: result["serverInfo"]),
                capabilities: MCPServerCapabilities(json: result["capabilities"]),
                instructions: result["instructions"]?.string))
    }

    /// This client's capabilities: it answers questions, if only by declining. It offers neither a model nor folders.
    static let capabilities: JSONValue = ["elicitation": [:]]
}

// SPDX-License-Identifier: MIT

import DataAssistant
import DataLayer
import Diagnostics
import Domain
import Echo
import FoundationEssentials
import MCP
import Persistence
import ProductVersion
import Security

extension CompositionRoot {
    /// A model to chat with.
    ///
    /// - Parameters:
    ///   - budget: The budget in US dollars.
    ///   - mode: The mode in which the conversation begins.
    ///   - turns: The detection of the end of the user's turns by voice.
    ///   - voice: The settings of the conversation by voice.
    ///   - tools: The tools that the model may call; `nil` for no tools.
    ///   - asksIfItLasts: True to ask the model whether its answer to a question for a fact lasts.
    func model(
        _ settings: ModelSettings, instructions: String?, budget: Double?, mode: EchoMode = .text,
        turns: TurnDetection = .automatic(VADConfiguration()), voice: VoiceConfiguration, tools: MCPToolBox?,
        asksIfItLasts: Bool = false
    ) throws -> ModelAssistant {
        let transport = try transport(to: settings)
        return try ModelAssistant(
            model: settings.model, budget: budget, instructions: instructions, mode: mode, turns: turns, tools: tools,
            mayFallBack: !settings.isOpenAI, asksIfItLasts: asksIfItLasts, limit: settings.limit, network: network
        ) { model, api, budget in
            var settings = settings
            settings.model = model
            var configuration = settings.configuration(api: api, budget: budget, transport: transport)
            configuration.keepsResponses = false
            configuration.voice = voice
            try configuration.endpoint.validate(configuration.responsesModel)
            // The program asks before each call, and no event may be lost.
            return settings.withKey {
                Echo(key: $0, configuration: configuration, automaticToolExecution: false, eventQueueLimit: .max)
            }
        }
    }

    /// A server of a model, for what is no conversation.
    func echo(_ settings: ModelSettings) throws -> Echo {
        let configuration = settings.configuration(
            api: .responses, budget: nil, transport: try transport(to: settings))
        return settings.withKey { Echo(key: $0, configuration: configuration) }
    }

    /// The vectors that are stored on this machine.
    func vectorCache(_ settings: ModelSettings, dimensions: Int?) async throws -> VectorCache {
        VectorCache(
            store: try await vectorStore(), space: "\(settings.baseURL) \(settings.model) \(dimensions ?? 0)")
    }

    func vectorStore() async throws -> CacheStore {
        try await CacheStore(
            at: paths.vectors,
            configuration: .init(maximumBytes: 400_000_000, maximumAge: .seconds(365 * 86_400)),
            seal: try await dataSeal()?.pages, logger: logger.with(category: "vectors"))
    }

    /// The tool servers.
    var mcpServers: MCPServerList { MCPServerList(path: paths.configuration + "/mcp.json") }

    /// The tools that are allowed for good.
    var mcpApprovals: MCPApprovalFile { MCPApprovalFile(path: paths.configuration + "/mcp-approvals.json") }

    /// The lines that were typed in chats; nil while the app lock is closed.
    func chatHistory() async -> PromptHistory? {
        do {
            return PromptHistory(path: paths.chatInputs, seal: try await sealedData.key())
        } catch { return nil }
    }

    /// The tools of all servers, for a chat; `nil` if there is no server.
    ///
    /// - Parameter asking: Asks at this terminal; nil without one.
    func toolBox(allowsAll: Bool, asking: ConsentPrompter?) throws -> MCPToolBox? {
        let entries: [MCPServerEntry]
        do { entries = try mcpServers.load() } catch let error as DomainError {
            console.warn("The tools are not available. \(Sentence(error))")
            return nil
        }
        guard !entries.isEmpty else { return nil }
        let announcement = ConsentAnnouncement(
            logger: logger.with(category: "consent"), translator: console.translator)
        let progress: @Sendable (String) -> Void = { [console] in console.progress(verbatim: $0) }
        let desk = ConsentDesk(
            local: asking, folder: paths.pendingConsents,
            announce: { [paths] in
                let isShown = await announcement.show($0)
                return isShown || PageDoor.isOpen(at: paths.pageDoor)
            },
            withdraw: { await announcement.close() }, tell: asking?.show ?? progress)
        return MCPToolBox(
            entries: entries, approvals: mcpApprovals, allowsAll: allowsAll, ask: { try await desk.ask($0) },
            connect: { entry in try await mcpClient(entry) })
    }

    /// A client of a server; nothing is started yet.
    func mcpClient(_ entry: MCPServerEntry) async throws -> MCPClient {
        let server = try await entry.server(home: paths.home) { name in
            let name = try SecretStoreChoice.name(name)
            let store = try await SecretStoreChoice(.auto).open(in: self, writes: false)
            guard let value = try await store.value(for: name) else { throw SecretNotFound(name: name) }
            return value.withExposed { String(decoding: $0, as: UTF8.self) }
        }
        return MCPClient(
            server, information: MCPImplementation(name: "parley", version: ProductVersion.current),
            http: try transport(to: server))
    }
}

extension Echo {
    /// Asks the server for the vectors of texts.
    ///
    /// - Throws: `NothingAtAddress` where the base URL may lack its end, `UnsupportedModel`.
    func vectors(of texts: [String], model: String, dimensions: Int?) async throws -> [[Float]] {
        do {
            return try await embeddings.embeddings(
                from: texts, model: EmbeddingModel(rawValue: model), dimensions: dimensions)
        } catch {
            let unsupported = UnsupportedModel(error, for: .embeddings)
            throw NothingAtAddress(error, at: configuration.endpoint, path: "embeddings") ?? unsupported ?? error
        }
    }
}

// SPDX-License-Identifier: MIT

import Concurrency
import MCP
import Networking

/// The tools of one server that a model may use, listed again when the server reports a change.
actor MCPServerTools {
    nonisolated let client: MCPClient
    private var approvals: MCPToolApprovals
    private let approval: (@Sendable (MCPToolQuestion) async -> Bool)?
    private let report: @Sendable (any Error) async -> Void
    private let clock: ClientClock
    private let watcher = Guarded<Task<Void, Never>?>(nil)
    private var offered: [MCPTool] = []
    private var isStale = true
    private var hasListed = false
    private var listing: Task<Void, Never>?
    private var nextTry: Duration?

    /// The pause before a server that did not answer is asked again.
    private static let pause = Duration.seconds(30)

    init(
        _ client: MCPClient, approvals: MCPToolApprovals = MCPToolApprovals(),
        approval: (@Sendable (MCPToolQuestion) async -> Bool)?, clock: ClientClock = .system,
        report: @escaping @Sendable (any Error) async -> Void
    ) {
        self.client = client
        self.approvals = approvals
        self.approval = approval
        self.clock = clock
        self.report = report
    }

    /// Starts following the server's reports of changes.
    nonisolated func watch() {
        let events = client.events()
        let task = Task { [weak self] in
            for await event in events {
                switch event {
                case .toolsChanged, .disconnected: await self?.forget()
                default: break
                }
            }
        }
        watcher.withLock { $0 = task }
    }

    private func forget() { isStale = true }

    /// Closes the connection to the server, and waits for it.
    nonisolated func close() async {
        watcher.withLock { $0 }?.cancel()
        await client.close()
    }

    /// Ends it without waiting.
    nonisolated func abandon() {
        watcher.withLock { $0 }?.cancel()
        Task { [client] in await client.close() }
    }

    /// The present tools; the previous ones if the server does not answer.
    func tools() async -> [MCPTool] {
        // Wait for a list that another caller requested: until it arrives, the server seems to have no tools.
        while isStale || listing != nil, !Task.isCancelled {
            if listing == nil, let nextTry, clock.now() < nextTry { break }
            let task = listing ?? Task { await list() }
            listing = task
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
        }
        return offered
    }

    private func list() async {
        defer { listing = nil }
        // A change that is reported from now on makes the list stale again.
        isStale = false
        nextTry = nil
        do {
            offered = try await approved(try await client.tools())
            hasListed = true
        } catch {
            isStale = true
            guard !(error is CancellationError) else { return }
            nextTry = clock.now() + Self.pause
            await report(error)
        }
    }

    private func approved(_ tools: [MCPTool]) async throws -> [MCPTool] {
        let server = client.server
        var result: [MCPTool] = []
        for tool in tools {
            let standing = try approvals.standing(of: tool, at: server)
            if standing != .approved {
                let question = MCPToolQuestion(server: server.name, tool: tool, standing: standing)
                guard try await mayOffer(question) else { continue }
                try approvals.approve(tool, at: server)
            }
            result.append(tool)
        }
        return result
    }

    private func mayOffer(_ question: MCPToolQuestion) async throws -> Bool {
        if let approval { return await approval(question) }
        guard hasListed else { return true }
        await report(
            EchoError.toolExecutionFailed(
                "The server \(question.server) has changed its tool \(question.tool.name), or added it, since it was "
                    + "registered. The model is not told of it. Register the server again to approve of it."))
        return false
    }
}

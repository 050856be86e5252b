// SPDX-License-Identifier: MIT

import Concurrency

/// The tools of one ``Echo``, in the order of their registration.
package final class ToolRegistry: Sendable {
    private struct State {
        var tools: [Tool] = []
        var sources: [any ToolSource] = []
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastWatcher = 0
    }

    private let state = Guarded(State())

    /// Adds a tool; it replaces a tool of the same name.
    func add(_ tool: Tool) {
        state.withLock { state in
            if let index = state.tools.firstIndex(where: { $0.name == tool.name }) {
                state.tools[index] = tool
            } else {
                state.tools.append(tool)
            }
        }
        tellWatchers()
    }

    /// Removes the tool of that name that was registered by itself.
    func remove(_ name: String) {
        state.withLock { $0.tools.removeAll { $0.name == name } }
        tellWatchers()
    }

    func add(_ source: any ToolSource) {
        state.withLock { $0.sources.append(source) }
        tellWatchers()
    }

    /// Reports registrations, until the waiting task is cancelled. Only the last change is kept.
    package func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = continuation
            return state.lastWatcher
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.watchers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Reports a registration to all watchers.
    func tellWatchers() {
        for watcher in state.withLock({ Array($0.watchers.values) }) { watcher.yield() }
    }

    /// True if servers of tools are registered.
    package var hasSources: Bool { state.withLock { !$0.sources.isEmpty } }

    /// The tools that were registered individually.
    ///
    /// - Throws: ``EchoError/invalidConfiguration(_:)`` if one of them is invalid.
    package func registered() throws(EchoError) -> [Tool] {
        let tools = state.withLock { $0.tools }
        if let problem = tools.lazy.compactMap(\.problem).first { throw EchoError.invalidConfiguration(problem) }
        return tools
    }

    /// The names of the tools that were registered individually.
    var names: Set<String> { state.withLock { Set($0.tools.map(\.name)) } }

    /// The source of that kind; `make` makes it if it is missing.
    func source<Source: ToolSource>(_ make: @Sendable () -> Source) -> Source {
        state.withLock { state in
            if let source = state.sources.lazy.compactMap({ $0 as? Source }).first { return source }
            let source = make()
            state.sources.append(source)
            return source
        }
    }

    /// All present tools. A source's tool whose name is taken gets its source's name before its own.
    ///
    /// - Throws: ``EchoError/invalidConfiguration(_:)`` if one of them is invalid; a source's errors.
    package func all() async throws -> [Tool] {
        var all = try registered()
        let sources = state.withLock { $0.sources }
        var names = Set(all.map(\.name))
        for source in sources {
            for tool in try await source.tools() {
                guard let free = Self.freeName(tool.name, prefix: source.name, among: names) else { continue }
                names.insert(free)
                all.append(tool.renamed(free))
            }
        }
        return all
    }

    private static func freeName(_ name: String, prefix: String, among names: Set<String>) -> String? {
        if !names.contains(name) { return name }
        for number in 1...100 {
            let candidate = String("\(prefix)\(number == 1 ? "" : "\(number)")_\(name)".prefix(64))
            if !names.contains(candidate) { return candidate }
        }
        return nil
    }
}

/// A source of tools that may change: a server of tools.
protocol ToolSource: Sendable {
    /// The prefix of its tools' names where they would collide.
    var name: String { get }
    /// The present tools.
    func tools() async throws -> [Tool]
}

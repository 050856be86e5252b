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

    /// Adds a tool, in the place of the one of its name, if there is one.
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

    /// Tells that something was registered, until the task that waits is cancelled. Only the last change is kept.
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

    /// Tells whoever waits that something was registered.
    func tellWatchers() {
        for watcher in state.withLock({ Array($0.watchers.values) }) { watcher.yield() }
    }

    /// True if there are servers of tools.
    package var hasSources: Bool { state.withLock { !$0.sources.isEmpty } }

    /// The tools that were registered one by one.
    ///
    /// - Throws: ``EchoError/invalidConfiguration(_:)`` if one of them cannot be used.
    package func registered() throws(EchoError) -> [Tool] {
        let tools = state.withLock { $0.tools }
        if let problem = tools.lazy.compactMap(\.problem).first { throw EchoError.invalidConfiguration(problem) }
        return tools
    }

    /// The names of the tools that were registered one by one.
    var names: Set<String> { state.withLock { Set($0.tools.map(\.name)) } }

    /// The source of that kind; where there is none, `make` makes it.
    func source<Source: ToolSource>(_ make: @Sendable () -> Source) -> Source {
        state.withLock { state in
            if let source = state.sources.lazy.compactMap({ $0 as? Source }).first { return source }
            let source = make()
            state.sources.append(source)
            return source
        }
    }

    /// All tools as they are now. One of a source that has a name which is taken gets its source's name before its own.
    ///
    /// - Throws: ``EchoError/invalidConfiguration(_:)`` if one of them cannot be used; what a source throws.
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

/// Something that has tools, which may change: a server of tools.
protocol ToolSource: Sendable {
    /// The prefix of its tools' names where they would collide.
    var name: String { get }
    /// Its tools as they are now.
    func tools() async throws -> [Tool]
}

// SPDX-License-Identifier: MIT

/// The tools of several servers under names that a model can call them by, each name once.
///
/// A tool keeps its own name if no other has it; all that share one get their server's name in front (`files_search`,
/// `web_search`). Names depend on the tools alone, not on the order in which servers answered, so no server can take
/// the place of another's tool by being first. A value.
public struct MCPToolRegistry: Sendable {
    /// A tool of a server.
    public struct Entry: Sendable, Hashable {
        /// The name for a model: 1 to 64 letters, digits, `_` and `-` of ASCII.
        public let name: String
        /// The server's name.
        public let server: String
        /// The tool, with its name at the server.
        public let tool: MCPTool
    }

    private static let longest = 64

    private let reserved: Set<String>
    private var tools: [String: [MCPTool]] = [:]
    private var byName: [String: Entry] = [:]

    /// No tools.
    ///
    /// - Parameter reserved: Names that are taken, such as those of the program's own tools.
    public init(reserved: Set<String> = []) { self.reserved = reserved }

    /// The tools, by name.
    public var entries: [Entry] { byName.values.sorted { $0.name < $1.name } }

    /// The tool of that name.
    public subscript(name: String) -> Entry? { byName[name] }

    /// Replaces a server's tools. Of two tools with one name at one server the first counts.
    ///
    /// - Throws: `MCPError` if the system's OpenSSL has no SHA-256.
    public mutating func set(_ list: [MCPTool], of server: String) throws(MCPError) {
        var seen: Set<String> = []
        var updated = self
        updated.tools[server] = list.filter { seen.insert($0.name).inserted }
        updated.byName = try updated.named()
        self = updated
    }

    /// Removes a server's tools.
    ///
    /// - Throws: `MCPError` if the system's OpenSSL has no SHA-256.
    public mutating func remove(_ server: String) throws(MCPError) { try set([], of: server) }

    private func named() throws(MCPError) -> [String: Entry] {
        let all = tools.sorted { $0.key < $1.key }.flatMap { server, tools in tools.map { (server: server, tool: $0) } }
        let plain = Self.counts(all.map { Self.allowed($0.tool.name) })
        let prefixed = Self.counts(all.map { Self.allowed("\($0.server)_\($0.tool.name)") })
        var result: [String: Entry] = [:]
        for (server, tool) in all {
            let short = Self.allowed(tool.name)
            let long = Self.allowed("\(server)_\(tool.name)")
            var name = long
            if plain[short] == 1, prefixed[short] == nil, !reserved.contains(short), short.utf8.count <= Self.longest {
                name = short
            } else if prefixed[long] != 1 || plain[long] != nil || reserved.contains(long)
                || long.utf8.count > Self.longest
            {
                // A cut or changed name may equal another's: a hash of the original names tells them apart.
                let hash = try MCPToolFingerprint.hash("\(server.utf8.count) \(server) \(tool.name)").prefix(12)
                name = "\(long.prefix(Self.longest - 13))_\(hash)"
            }
            result[name] = Entry(name: name, server: server, tool: tool)
        }
        return result
    }

    private static func counts(_ names: [String]) -> [String: Int] {
        names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// The name with `_` for each byte that a model's API does not allow.
    private static func allowed(_ name: String) -> String {
        String(
            decoding: name.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    byte
                default: UInt8(ascii: "_")
                }
            }, as: UTF8.self)
    }
}

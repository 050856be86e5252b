// SPDX-License-Identifier: MIT

import FoundationEssentials
import MCP
import Networking
import StructuredJSON

/// An entry about a server of tools. Members that are not known here are kept.
struct MCPServerEntry: Sendable, Equatable {
    /// An invalid member, with its place.
    struct Problem: Error, Equatable {
        /// The member's path, such as ".command".
        let place: String
        let expectation: String
    }

    let name: String
    private(set) var json: JSONObject

    /// Reads an entry.
    init(name: String, json: JSONValue) throws(Problem) {
        guard let object = json.object else { throw Problem(place: "", expectation: "an object was expected") }
        self.name = name
        self.json = object
        guard object["command"] != nil || object["url"] != nil else {
            throw Problem(place: "", expectation: "it has neither a command nor a url")
        }
        for member in ["command", "url", "cwd"] where object[member] != nil && object[member]?.string == nil {
            throw Problem(place: ".\(member)", expectation: "a text was expected")
        }
        if let url = object["url"]?.string, URL(string: url) == nil {
            throw Problem(place: ".url", expectation: "a URL was expected")
        }
        for member in ["args", "inherit"] where object[member] != nil {
            guard object[member]?.array?.allSatisfy({ $0.string != nil }) == true else {
                throw Problem(place: ".\(member)", expectation: "a list of texts was expected")
            }
        }
        guard object["env"] == nil || object["env"]?.object?.allSatisfy({ $0.value.string != nil }) == true else {
            throw Problem(place: ".env", expectation: "an object of texts was expected")
        }
        guard let headers = object["headers"] else { return }
        let isSound = headers.object?.allSatisfy { $0.value.string != nil || $0.value["secret"]?.string != nil }
        guard isSound == true else {
            throw Problem(place: ".headers", expectation: "texts, or objects with the name of a secret, were expected")
        }
    }

    /// An entry for a program that runs in a folder.
    init(name: String, command: [String], directory: String, inherit: [String]) {
        self.name = name
        json = [
            "command": .string(command.first ?? ""), "args": .array(command.dropFirst().map(JSONValue.string)),
            "cwd": .string(directory),
        ]
        if !inherit.isEmpty { json["inherit"] = .array(inherit.map(JSONValue.string)) }
    }

    /// An entry for an address. The values of the headers are secrets.
    init(name: String, url: String, headers: [String], allowsPlainHTTP: Bool) {
        self.name = name
        json = ["url": .string(url)]
        if !headers.isEmpty {
            json["headers"] = .object(
                JSONObject(headers.map { ($0, ["secret": .string(Self.secretName(server: name, header: $0))]) }))
        }
        if allowsPlainHTTP { json["plainHTTP"] = true }
    }

    /// True if chats leave it out.
    var isDisabled: Bool {
        get { json["disabled"]?.bool ?? false }
        set { json["disabled"] = newValue ? true : nil }
    }

    /// The names of the secrets that the headers refer to.
    var secretNames: [String] {
        (json["headers"]?.object ?? [:]).compactMap { $0.value["secret"]?.string }
    }

    /// The command line or the address, for the person. Values of variables and headers are not in it.
    var summary: String {
        if let url = json["url"]?.string { return url }
        let words = [json["command"]?.string ?? ""] + (json["args"]?.array ?? []).compactMap(\.string)
        return words.joined(separator: " ")
    }

    /// The time to start and answer, in seconds: `timeout`, a number from 1 to 600. Other programs write other
    /// things there, which count as nothing.
    var timeout: Double {
        guard let seconds = json["timeout"]?.double, seconds >= 1 else { return 10 }
        return min(seconds, 600)
    }

    /// Sets the time limit for the start, in seconds.
    mutating func limit(to seconds: Int) { json["timeout"] = .integer(seconds) }

    /// The server to connect to.
    ///
    /// - Parameters:
    ///   - home: The folder of a program whose entry has no absolute `cwd`. The current folder may have files of anyone.
    ///   - secret: The value of a secret.
    func server(home: String, secret: (String) async throws -> String) async throws -> MCPServer {
        var server = MCPServer(name: name, connection: try await connection(home, secret))
        // The client makes two requests: it looks for a stateless server, then starts a handshake.
        server.timeouts.discover = .seconds(timeout * 0.4)
        server.timeouts.connect = .seconds(timeout * 0.6)
        return server
    }

    private func connection(
        _ home: String, _ secret: (String) async throws -> String
    ) async throws -> MCPServer.Connection {
        guard let address = json["url"]?.string, let url = URL(string: address) else {
            var command = MCPCommand(
                json["command"]?.string ?? "", arguments: (json["args"]?.array ?? []).compactMap(\.string),
                environment: Dictionary(
                    (json["env"]?.object ?? [:]).compactMap { member in member.value.string.map { (member.name, $0) } },
                    uniquingKeysWith: { $1 }),
                directory: json["cwd"]?.string.map { $0.hasPrefix("/") ? $0 : "\(home)/\($0)" } ?? home)
            command.inheritedVariables.formUnion((json["inherit"]?.array ?? []).compactMap(\.string))
            return .stdio(command)
        }
        var headers = HTTPHeaders()
        for (name, value) in json["headers"]?.object ?? [:] {
            if let text = value.string {
                headers[name] = text
            } else if let reference = value["secret"]?.string {
                headers[name] = try await secret(reference)
            }
        }
        var endpoint = MCPEndpoint(url, headers: headers)
        endpoint.allowsPlainHTTP = json["plainHTTP"]?.bool ?? false
        return .http(endpoint)
    }

    /// The name of the secret that has the value of a header.
    static func secretName(server: String, header: String) -> String { "mcp/\(server).\(header)" }
}

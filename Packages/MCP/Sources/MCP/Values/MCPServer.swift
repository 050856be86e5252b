// SPDX-License-Identifier: MIT

public import FoundationEssentials
public import Networking

/// A server of the Model Context Protocol: its name here, and its connection.
public struct MCPServer: Sendable {
    /// The way to connect.
    public enum Connection: Sendable {
        /// A program that reads messages from its standard input and writes them to its standard output, a line each.
        case stdio(MCPCommand)
        /// An address that takes messages by POST.
        case http(MCPEndpoint)
    }

    /// The name here: in prefixes of its tools, in approvals and in errors.
    public var name: String
    /// The way to connect.
    public var connection: Connection
    /// The time limits.
    public var timeouts = MCPTimeouts()
    /// The revisions to speak. The newest that the server knows is used; all by default.
    public var protocolVersions = MCPProtocolVersion.all
    /// The most bytes of one message. Longer ones are dropped; 16 MiB.
    public var maximumMessageBytes = 16 << 20

    /// A server.
    public init(name: String, connection: Connection) {
        self.name = name
        self.connection = connection
    }

    /// A server that is a program.
    ///
    /// - Parameters:
    ///   - name: The name here.
    ///   - command: The program: a path, or a name to be found along `PATH`.
    ///   - arguments: The program's arguments.
    ///   - environment: Variables besides the few that the program inherits (``MCPCommand/inheritedVariables``).
    ///   - directory: The working directory; this process's by default.
    public static func stdio(
        name: String, command: String, arguments: [String] = [], environment: [String: String] = [:],
        directory: String? = nil
    ) -> MCPServer {
        MCPServer(
            name: name,
            connection: .stdio(
                MCPCommand(command, arguments: arguments, environment: environment, directory: directory)))
    }

    /// A server at an address.
    ///
    /// - Parameters:
    ///   - name: The name here.
    ///   - url: `https`, or `http` to this machine.
    ///   - headers: Fields for each request, such as `Authorization`. They are sent to this origin alone.
    public static func http(name: String, url: URL, headers: HTTPHeaders = [:]) -> MCPServer {
        MCPServer(name: name, connection: .http(MCPEndpoint(url, headers: headers)))
    }
}

extension MCPServer.Connection {
    /// A program; see ``MCPServer/stdio(name:command:arguments:environment:directory:)``.
    public static func stdio(
        command: String, arguments: [String] = [], environment: [String: String] = [:], directory: String? = nil
    ) -> Self {
        .stdio(MCPCommand(command, arguments: arguments, environment: environment, directory: directory))
    }

    /// An address; see ``MCPServer/http(name:url:headers:)``.
    public static func http(url: URL, headers: HTTPHeaders = [:]) -> Self { .http(MCPEndpoint(url, headers: headers)) }
}

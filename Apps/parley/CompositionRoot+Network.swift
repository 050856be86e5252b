// SPDX-License-Identifier: MIT

import FoundationEssentials
import MCP
import Networking

extension CompositionRoot {
    /// The pinned keys of servers.
    var trust: TrustFile { TrustFile(path: paths.configuration + "/trust.json") }

    /// The settings of every connection of the program: pins, authorities, plain http, proxy.
    ///
    /// - Parameters:
    ///   - host: The first host of the requests; a loopback host is reached without a proxy.
    ///   - allowsPlainHTTP: True if the person allows plain http to this host.
    /// - Throws: `DomainError.file` if the pins cannot be read, so that nothing is connected.
    func transportConfiguration(
        to host: String?, allowsPlainHTTP: Bool = false
    ) throws -> CurlTransport.Configuration {
        let host = host?.lowercased() ?? ""
        var configuration = CurlTransport.Configuration()
        configuration.userAgent = "parley/\(Program.version)"
        configuration.pins = try trust.load()
        configuration.pinAdvice = { host in
            "If the server's operator has replaced its key, run: parley trust pin \(host.printable)"
        }
        // The same variable as for curl's command line, Go and Python.
        configuration.certificateAuthorityFile = environment["SSL_CERT_FILE"].flatMap {
            $0.isEmpty ? nil : $0
        }
        if allowsPlainHTTP { configuration.plainHTTPHosts.insert(host) }
        if CurlTransport.Configuration.loopbackHosts.contains(host) { configuration.proxy = .none }
        return configuration
    }

    /// The transport of requests to a model.
    func transport(to settings: ModelSettings) throws -> CurlTransport {
        try CurlTransport(
            configuration: try transportConfiguration(
                to: URL(string: settings.baseURL)?.host(percentEncoded: false),
                allowsPlainHTTP: settings.allowsPlainHTTP))
    }

    /// The transport of requests to an account's server, uploads among them.
    func transport(to server: URL) throws -> CurlTransport {
        try CurlTransport(
            configuration: try transportConfiguration(to: server.host(percentEncoded: false)))
    }

    /// The transport of requests to a tool server; nil for a server that is a program.
    func transport(to server: MCPServer) throws -> CurlTransport? {
        guard case .http(let endpoint) = server.connection else { return nil }
        // The scheme of the entry in mcp.json was checked before.
        return try CurlTransport(
            configuration: try transportConfiguration(
                to: endpoint.url.host(percentEncoded: false),
                allowsPlainHTTP: endpoint.url.scheme?.lowercased() == "http"))
    }
}

// SPDX-License-Identifier: MIT

import FoundationEssentials
import MCP
import Networking

extension CompositionRoot {
    /// The pinned keys of servers.
    var trust: TrustFile { TrustFile(path: paths.configuration + "/trust.json") }

    /// How every connection of the program is made: pins, authorities, plain http, proxy.
    ///
    /// - Parameters:
    ///   - host: The host that is asked first; this machine itself is asked past a proxy.
    ///   - allowsPlainHTTP: The person allows plain http to it, wherever it is.
    /// - Throws: `DomainError.file` if the pins cannot be read: then nothing is connected.
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
        // As curl's command line, Go and Python read it.
        configuration.certificateAuthorityFile = environment["SSL_CERT_FILE"].flatMap {
            $0.isEmpty ? nil : $0
        }
        if allowsPlainHTTP { configuration.plainHTTPHosts.insert(host) }
        if CurlTransport.Configuration.loopbackHosts.contains(host) { configuration.proxy = .none }
        return configuration
    }

    /// What sends requests to a model.
    func transport(to settings: ModelSettings) throws -> CurlTransport {
        try CurlTransport(
            configuration: try transportConfiguration(
                to: URL(string: settings.baseURL)?.host(percentEncoded: false),
                allowsPlainHTTP: settings.allowsPlainHTTP))
    }

    /// What sends requests to an account's server, uploads among them.
    func transport(to server: URL) throws -> CurlTransport {
        try CurlTransport(
            configuration: try transportConfiguration(to: server.host(percentEncoded: false)))
    }

    /// What sends requests to a server of tools; nil for one that is a program.
    func transport(to server: MCPServer) throws -> CurlTransport? {
        guard case .http(let endpoint) = server.connection else { return nil }
        // The entry in mcp.json says http or https, and is checked before.
        return try CurlTransport(
            configuration: try transportConfiguration(
                to: endpoint.url.host(percentEncoded: false),
                allowsPlainHTTP: endpoint.url.scheme?.lowercased() == "http"))
    }
}

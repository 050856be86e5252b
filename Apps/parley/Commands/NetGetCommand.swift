// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import FoundationEssentials
import Networking
import TerminalKit

/// `parley net get`: fetches a URL with the product's HTTP client, and shows the exchanges.
struct NetGetCommand: Command {
    private static let har = ValueOption<String>(
        "har", placeholder: "FILE", help: "Write the exchanges as an HTTP Archive 1.2, without secrets",
        completion: .files)
    private static let output = ValueOption<String>(
        "output", short: "o", placeholder: "FILE", help: "Write the content into a file; - is standard output",
        completion: .files)
    private static let ca = ValueOption<String>(
        "ca", placeholder: "FILE", help: "Trust these PEM certificates instead of the system's",
        completion: .files)
    private static let pin = ValueOption<PublicKeyPin>(
        "pin", placeholder: "BASE64",
        help: "Demand this key, whatever parley trust pinned: the SHA-256 of the certificate's public key",
        expected: TrustedServer.keyForm
    ) { PublicKeyPin(base64: $0) }
    private static let plainHTTP = Flag(
        "plain-http", help: "Allow http:// to another machine, where anybody can read along")
    private static let timeout = ValueOption<Int>(
        "timeout", placeholder: "SECONDS", help: "The time limit of the request (1 to 86400)", in: 1...86_400)
    private static let address = Positional<String>("URL", help: "The address, with https://")
    static let specification = CommandSpecification(
        path: ["net", "get"],
        summary: "Fetch an address, showing every attempt and its phases",
        discussion: """
            The content goes to standard output, or into a file; attempts and timings go to standard error. What failed
            in passing is tried three times. With --json the exchanges are written instead of the content; --output keeps
            it. A status of 400 or more is exit code 5. Proxies are taken from the environment (https_proxy, no_proxy).
            """,
        positionals: [address],
        options: [
            har,
            output,
            ca,
            pin,
            plainHTTP,
            timeout,
        ])

    private let url: URL
    private let archive: String?
    private let output: String?
    private let host: String
    private let authorities: String?
    private let pin: PublicKeyPin?
    private let timeout: Duration?
    private let allowsPlainHTTP: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        let text = invocation[Self.address]
        guard let url = URL(string: text), let host = url.host(percentEncoded: false)?.lowercased(), !host.isEmpty,
            let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme)
        else {
            throw UsageError(
                "\"\(text.printable)\" is no address. Write it whole, such as https://example.org/page.",
                command: invocation.command)
        }
        timeout = invocation[Self.timeout].map { .seconds($0) }
        pin = invocation[Self.pin]
        allowsPlainHTTP = invocation.has(Self.plainHTTP)
        if scheme == "http", !allowsPlainHTTP, !CurlTransport.Configuration.loopbackHosts.contains(host) {
            throw UsageError(
                "http:// can be read and changed by anyone on the way. Use https://, or give --plain-http.",
                command: invocation.command)
        }
        self.url = url
        self.host = host
        authorities = invocation[Self.ca]
        archive = invocation[Self.har]
        output = invocation[Self.output].flatMap { $0 == "-" ? nil : $0 }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        var configuration = try app.transportConfiguration(to: host, allowsPlainHTTP: allowsPlainHTTP)
        if let authorities { configuration.certificateAuthorityFile = authorities }
        if let pin { configuration.pins[host] = [pin] }
        configuration.timeouts.whole = timeout
        let log = app.networkLog { exchange in
            console.progress(verbatim: console.styled(ExchangeOutput(exchange).line, .muted))
        }
        let outcome: Result<HTTPResponse, any Error>
        do {
            let response = try await app.httpClient(configuration, log: log).send(HTTPRequest(.get, url))
            try await write(response, console: console)
            outcome = .success(response)
        } catch {
            outcome = .failure(error)
        }
        // The log is most useful after a failure.
        if let archive { try OutputFile.write(String(decoding: try log.archive(), as: UTF8.self), to: archive) }
        let response = try outcome.get()
        try console.emit(NetGetOutput(exchanges: log.exchanges.map(ExchangeOutput.init), file: output))
        return response.status < 400 ? .done : .network
    }

    private func write(_ response: HTTPResponse, console: Console) async throws {
        if let output {
            let file = try OutputFile(output)
            for try await chunk in response.body { try file.write(chunk) }
            try file.finish()
            console.progress("The content is in \(output.printable).")
        } else {
            let guardsTerminal = console.output.isTerminal
            for try await chunk in response.body where !console.isJSON {
                try console.output.write(guardsTerminal ? Self.forTerminal(chunk) : chunk)
            }
        }
    }

    /// The bytes without those that drive a terminal: control characters except tabs and line feeds.
    static func forTerminal(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { byte in
            byte == 0x0A || byte == 0x09 || (byte >= 0x20 && byte != 0x7F) ? byte : UInt8(ascii: " ")
        }
    }

    private struct NetGetOutput: Encodable {
        let exchanges: [ExchangeOutput]
        let file: String?
    }
}

// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import FoundationEssentials
import Networking
import TerminalKit

/// A server, as an argument of `parley trust`: a host, a host and a port, or a whole https URL.
struct TrustedServer: Sendable {
    /// The URL to connect to.
    let url: URL
    /// The host under which its keys are pinned, for all its ports.
    let host: String

    static let argument = Positional<TrustedServer>(
        "HOST", help: "The server: example.org, example.org:8443, or an https address",
        expected: "the name of a server with TLS, such as example.org", parse: TrustedServer.init)
    static let key = ValueOption<PublicKeyPin>(
        "key", placeholder: "BASE64", help: "The SHA-256 of the certificate's public key, 44 characters",
        expected: keyForm
    ) { PublicKeyPin(base64: $0) }
    static let keyForm: UsageText = "32 bytes in base64, 44 characters"

    private init?(_ text: String) {
        var text = text
        // An IPv6 address without a port, as `trust list` shows it.
        if !text.contains("["), !text.contains("://"), text.count(where: { $0 == ":" }) > 1 {
            text = "[\(text.replacing("%", with: "%25"))]"
        }
        guard let url = URL(string: text.contains("://") ? text : "https://" + text),
            url.scheme?.lowercased() == "https", url.user == nil, url.password == nil,
            let host = url.host(percentEncoded: false)?.lowercased(), !host.isEmpty
        else { return nil }
        (self.url, self.host) = (url, host)
    }
}

/// `parley trust pin`: shows the key that a server presents, and stores it after the person confirms with a whole word.
struct TrustPinCommand: Command {
    static let specification = CommandSpecification(
        path: ["trust", "pin"],
        summary: "Connect to a server from now on only if it presents a known key",
        discussion: """
            Shows the key that the server presents, and stores it when you type "pin". From then on parley connects to that
            host, for models, voice, the account, tools and net get, only if its certificate is trusted by the system and has
            a pinned key. A host may have several: pin the next one before its operator changes over. --key stores a key
            that you have from the operator without connecting. SSL_CERT_FILE names other authorities than the system's.
            """,
        positionals: [TrustedServer.argument], options: [TrustedServer.key])

    private let server: TrustedServer
    private let pin: PublicKeyPin?

    init(_ invocation: Invocation) throws(UsageError) {
        server = invocation[TrustedServer.argument]
        pin = invocation[TrustedServer.key]
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let known = try app.trust.load()[server.host] ?? []
        let pin: PublicKeyPin
        if let given = self.pin {
            pin = given
        } else {
            guard let confirmed = try await ask(app, known, console) else {
                console.progress("Nothing was stored.")
                return .refused
            }
            pin = confirmed
        }
        try app.paths.makeConfigurationFolder()
        let isNew = try app.trust.add(pin, for: server.host)
        let host = server.host.printable
        console.progress(
            isNew
                ? "parley connects to \(host) only with a pinned key now. parley trust remove \(host) ends that."
                : "That key of \(host) is pinned already.")
        try console.emit(TrustOutput(host: server.host, keys: try app.trust.load()[server.host] ?? []))
        return .done
    }

    /// - Returns: The presented key; nil if the person does not type the word.
    private func ask(_ app: CompositionRoot, _ known: [PublicKeyPin], _ console: Console) async throws
        -> PublicKeyPin?
    {
        guard InputStream().isTerminal else {
            throw DomainError.invalidInput(
                "Nobody can be asked here. Give the key that you have from the server's operator: --key BASE64."
            )
        }
        let transport = try CurlTransport(
            configuration: try app.transportConfiguration(to: server.host))
        let certificate = try await transport.presentedCertificate(of: server.url)
        if known.contains(certificate.pin) { return certificate.pin }
        console.progress(
            """
            \(server.host.printable) presents:
              subject  \(certificate.subject.printable)
              issuer   \(certificate.issuer.printable)
              expires  \(certificate.expires.printable)
              key      \(certificate.pin.base64)
            """)
        for pin in known { console.progress("  pinned   \(pin.base64)") }
        let question = WordQuestion(
            text: "Compare the key with what the server's operator says. Type \"pin\" to store it." as Sentence,
            console: console)
        return try await question.answer() == "pin" ? certificate.pin : nil
    }
}

/// `parley trust list`: shows the pinned keys.
struct TrustListCommand: Command {
    static let specification = CommandSpecification(
        path: ["trust", "list"], summary: "List the servers whose keys are pinned",
        discussion: "They are in trust.json in the configuration folder.")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let pins = try app.trust.load().sorted { $0.key < $1.key }
        if pins.isEmpty {
            console.progress("No server's key is pinned. parley trust pin HOST pins one.")
        }
        for (host, keys) in pins {
            for key in keys { try console.show("\(host.printable)  \(key.base64)") }
            try console.emit(TrustOutput(host: host, keys: keys))
        }
        return .done
    }
}

/// `parley trust remove`: removes pinned keys.
struct TrustRemoveCommand: Command {
    static let specification = CommandSpecification(
        path: ["trust", "remove"], summary: "Forget the pinned keys of a server, or one of them",
        discussion: "Without a pinned key, every key is good that the system's authorities vouch for.",
        positionals: [TrustedServer.argument], options: [TrustedServer.key])

    private let server: TrustedServer
    private let pin: PublicKeyPin?

    init(_ invocation: Invocation) throws(UsageError) {
        server = invocation[TrustedServer.argument]
        pin = invocation[TrustedServer.key]
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        guard try app.trust.remove(pin, of: server.host) else {
            throw DomainError.notFound("pinned key of \(server.host.printable)")
        }
        let left = try app.trust.load()[server.host] ?? []
        console.progress(
            left.isEmpty
                ? "No key of \(server.host.printable) is pinned any more."
                : "The key is forgotten. \(server.host.printable) still has \(left.count) pinned.")
        try console.emit(TrustOutput(host: server.host, keys: left))
        return .done
    }
}

/// `{"host","keys"}`
private struct TrustOutput: Encodable {
    let host: String
    let keys: [String]

    init(host: String, keys: [PublicKeyPin]) {
        self.host = host
        self.keys = keys.map(\.base64)
    }
}

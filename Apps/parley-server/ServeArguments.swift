// SPDX-License-Identifier: MIT

import AuthServer
import CommandLineArguments
import CrashReports
import Diagnostics
import FoundationEssentials
import Glibc
import HTTPServer
import Networking
import ParleyServer
import ProductVersion

/// `parley-server serve`.
enum ServeCommand: ServerCommand {
    static let specification = CommandSpecification(
        path: ["serve"], summary: "Answer requests until Ctrl-C",
        discussion: """
            Prints {"address":…} once it listens, and tells systemd (Type=notify). The environment ($PARLEY_SERVER_NAME) and systemd's credentials take the names
            of --config, and go before it.
            """,
        options: ServeArguments.options)

    static let handlesSignals = true

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        let arguments = try ServeArguments(invocation, environment: surroundings.environment)
        let logger = arguments.log.logger(environment: surroundings.environment, also: CrashLogSink())
        ServerCrashes.tell(invocation, surroundings.environment, logger)
        var options = arguments.options
        options.evaluator = ReadingSoundEvaluator()
        options.version = ProductVersion.current
        let server = try await ParleyServer.start(options, logger: logger)
        var line = ["address": server.address]
        line["metrics"] = server.metricsAddress
        if case .folder(let path) = arguments.options.mail { line["mail"] = path }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A full disk behind standard output is no reason to end.
        try? surroundings.write(String(decoding: encoder.encode(line), as: UTF8.self) + "\n")
        let manager = ServiceManager(environment: surroundings.environment)
        manager.tell(.ready)
        for await signal in surroundings.signals.stream {
            guard signal == SIGHUP else { break }
            do {
                if let file = arguments.keyFile { try await server.reloadRootKeys { try ServerRootKey(file: file) } }
            } catch {
                logger.error("root keys: the earlier ones stay: \(String(describing: error), privacy: .public)")
            }
            do {
                try await server.reloadKeys()
            } catch {
                logger.error("the signing keys were not read again: \(String(describing: error), privacy: .public)")
            }
            do {
                if let tls = try arguments.readTLS() { try await server.useCertificate(tls) }
            } catch {
                logger.error("the certificate was not read again: \(String(describing: error), privacy: .public)")
            }
            manager.tell(.ready)
        }
        manager.tell(.stopping)
        await server.drain()
        await server.stop(grace: options.stopTime)
    }
}

/// The command line of `parley-server serve`.
struct ServeArguments {
    private static let dev = Flag("dev", help: "No configuration needed: this machine only, mail into a folder")
    private static let host = text("host", "ADDRESS", "The interface to listen on (default 127.0.0.1)")
    private static let port = ValueOption<Int>(
        "port", placeholder: "N", help: "The port to listen on; 0 takes a free one (default 9999)", in: 0...65_535)
    private static let mail = text("mail", "DIR", "Put mails into a maildir (with --dev the default: HOME/mail)")
    private static let smtp = ValueOption<URL>(
        "smtp", placeholder: "URL",
        help:
            "Send mails by smtp://HOST:PORT (STARTTLS) or smtps://HOST:PORT; see the settings smtp_user, smtp_password",
        expected: "smtp://HOST:PORT or smtps://HOST:PORT"
    ) { text in
        URL(string: text).flatMap { $0.host() != nil && ["smtp", "smtps"].contains($0.scheme) ? $0 : nil }
    }
    private static let sender = text("sender", "ADDRESS", "The sender's address of mails; needed with --smtp")
    private static let smtpCA = file(
        "smtp-ca", "Certificates to trust for the mail server instead of the system's, in PEM")
    private static let publicAddress = ValueOption<String>(
        "public", placeholder: "URL", help: "Where the server is reached from outside; needed without --dev",
        expected: "an address such as https://auth.example.org", parse: address)
    private static let redirect = ValueOption<[String]>(
        repeated: "redirect", placeholder: "URL",
        help: "A place that browsers may be sent to after signing in; may be repeated")
    private static let proxies = ValueOption<Int>(
        "proxies", placeholder: "N", help: "The number of proxies before the server that write X-Forwarded-For",
        in: 0...10)
    private static let metricsPort = ValueOption<Int>(
        "metrics-port", placeholder: "N",
        help: "Serve /metrics, /healthz and /readyz on this port, too; 0 takes a free one", in: 0...65_535)
    private static let metricsHost = text(
        "metrics-host", "ADDRESS", "The interface of the metrics port (default 127.0.0.1)")
    private static let admin = ValueOption<ServerOptions.Administration>(
        "admin", placeholder: "WHERE",
        help:
            "Serve GoTrue's administration, opened by a service token: off (default), operator (the metrics port) or public",
        choices: ServerOptions.Administration.allCases)
    private static let mailTemplates = text(
        "mail-templates", "DIR", "Words for mails instead of the built-in ones: docs/configuration.md")
    private static let hookURL = ValueOption<URL>(
        "hook-url", placeholder: "URL",
        help: "Ask this address about sign-ups, and tell it of sign-ins; see the setting hook_secret",
        expected: "https://HOST/PATH, or http://127.0.0.1:PORT/PATH"
    ) { text in
        guard let url = URL(string: text), let host = url.host() else { return nil }
        let isLocal = url.scheme == "http" && CurlTransport.Configuration.loopbackHosts.contains(host)
        return url.scheme == "https" || isLocal ? url : nil
    }
    private static let hookWhenAway = ValueOption<HookOptions.WhenAway>(
        "hook-when-away", placeholder: "RULE",
        help: "What happens to a sign-up when the hook does not answer: refuse (default) or allow",
        choices: HookOptions.WhenAway.allCases)
    private static let tlsCertificate = file(
        "tls-certificate", "Certificate chain in PEM; without it plain HTTP. SIGHUP reads it again")
    private static let tlsKey = file("tls-key", "The certificate's private key in PEM")
    private static let workers = ValueOption<Int>(
        "workers", placeholder: "N",
        help: "The number of evaluations at once (default 1); 0 leaves them to parley-server work", in: 0...64)
    private static let noSignUp = Flag("no-sign-up", help: "Only addresses that have an account may sign in")
    private static let config = file("config", "Limits, quotas and secrets in JSON: parley-server settings")
    private static let logLevel = ValueOption<LogLevel>(
        "log-level", placeholder: "LEVEL", help: "The least important level that is written (default info)",
        choices: LogLevel.allCases
    ) { "\($0)" }
    private static let logFormat = ValueOption<ServerLog.Format>(
        "log-format", placeholder: "FORM",
        help: "text or json on standard error (default text; under systemd the journal's fields)",
        choices: [.text, .json])
    private static let traces = file(
        "traces", "Keep the spans of the last 1,000 requests that are part of a client's trace, as OTLP JSON lines")
    private static let verbose = Flag("verbose", help: "The same as --log-level debug")

    private static func text(_ name: String, _ placeholder: String, _ help: String) -> ValueOption<String> {
        ValueOption(name, placeholder: placeholder, help: help)
    }

    private static func file(_ name: String, _ help: String) -> ValueOption<String> {
        ValueOption(name, placeholder: "FILE", help: help, completion: .files)
    }

    /// The options in the order in which help lists them.
    static let options: [any CommandOption] =
        [
            dev, host, port, ServerHome.option, ServerDatabaseURL.option, ServerRootKeyOption.option, workers, mail,
            smtp, sender, smtpCA, publicAddress, redirect, proxies, metricsPort, metricsHost, admin,
            mailTemplates, hookURL, hookWhenAway, tlsCertificate, tlsKey, noSignUp, config, logLevel, logFormat,
            traces, verbose,
        ] + ServerObjects.options

    var options: ServerOptions
    var log = ServerLog()
    /// The files of ``ServerOptions/tls``.
    private let tlsFiles: (certificate: String, key: String)?
    /// The file of ``ServerOptions/rootKey``; nil if a setting or the home has the key.
    let keyFile: String?
    private let command: CommandSpecification

    /// - Throws: `UsageError`, or `SettingError` if the configuration has a mistake.
    init(_ invocation: Invocation, environment: [String: String]) throws {
        let isDevelopment = invocation.has(Self.dev)
        let home = try ServerHome.path(invocation, environment)
        let configuration = try ServerConfiguration(invocation, environment, file: invocation[Self.config])
        options = ServerOptions(
            home: home,
            mail: try Self.mail(invocation, home: home, isDevelopment: isDevelopment, configuration, environment))
        configuration.apply(to: &options)
        options.objects = try ServerObjects.objects(invocation, configuration, environment)
        options.database = invocation[ServerDatabaseURL.option] ?? configuration.text("database")
        keyFile = invocation[ServerRootKeyOption.option]
        options.rootKey = try ServerRootKeyOption.key(invocation, configuration)
        options.workers = invocation[Self.workers] ?? options.workers
        guard options.workers > 0 || options.database != nil else {
            throw invocation.error(english: "--workers 0 needs --database, by which parley-server work takes part.")
        }
        options.redirects = Set(invocation[Self.redirect] ?? [])
        options.host = invocation[Self.host] ?? options.host
        options.port = invocation[Self.port] ?? 9999
        if let port = invocation[Self.metricsPort] {
            options.metrics = (invocation[Self.metricsHost] ?? "127.0.0.1", port)
        } else if invocation.isGiven(Self.metricsHost) {
            throw invocation.error(english: "--metrics-host needs --metrics-port.")
        }
        options.administration = invocation[Self.admin] ?? .off
        guard options.administration != .operator || options.metrics != nil else {
            throw invocation.error(english: "--admin operator needs --metrics-port.")
        }
        options.mailTemplates = invocation[Self.mailTemplates]
        options.traces = invocation[Self.traces].map { TraceFile(path: $0, mostTraces: 1_000) }
        if let path = options.traces?.path {
            let folder = URL(filePath: path).deletingLastPathComponent().path
            guard access(folder, W_OK) == 0 else {
                throw invocation.error(english: "--traces needs a file in a folder that exists and can be written.")
            }
        }
        options.hook = try Self.hook(invocation, configuration)
        options.proxyCount = invocation[Self.proxies] ?? 0
        if invocation.has(Self.noSignUp) { options.policy.allowsSignUp = false }
        switch (invocation[Self.tlsCertificate], invocation[Self.tlsKey]) {
        case (nil, nil): tlsFiles = nil
        case (let certificate?, let key?): tlsFiles = (certificate, key)
        default: throw invocation.error(english: "--tls-certificate and --tls-key go together.")
        }
        command = invocation.command
        options.tls = try readTLS()
        options.publicAddress = invocation[Self.publicAddress]
        guard isDevelopment || options.publicAddress != nil else {
            throw invocation.error(english: "Give --public URL, the address that mails contain, or --dev.")
        }
        guard !isDevelopment || options.host == "127.0.0.1" || options.host == "::1" else {
            throw invocation.error(english: "--dev listens on this machine only; leave out --host or --dev.")
        }
        if invocation.has(Self.verbose) { log.level = .debug }
        log.level = invocation[Self.logLevel] ?? log.level
        log.format = invocation[Self.logFormat] ?? log.format
    }

    private static func mail(
        _ invocation: Invocation, home: String, isDevelopment: Bool, _ settings: ServerConfiguration,
        _ environment: [String: String]
    ) throws -> ServerOptions.Mail {
        guard let url = invocation[smtp], let host = url.host() else {
            guard let folder = invocation[mail] ?? (isDevelopment ? home + "/mail" : nil) else {
                throw invocation.error(english: "Give --smtp URL and --sender ADDRESS, or --mail DIR.")
            }
            return .folder(folder)
        }
        guard url.user() == nil, url.password() == nil else {
            throw invocation.error(
                english: "--smtp takes no user name and no password: use the settings smtp_user and smtp_password.")
        }
        guard !invocation.isGiven(mail) else {
            throw invocation.error(english: "--mail and --smtp exclude each other.")
        }
        guard let sender = invocation[sender] else { throw invocation.error(english: "--smtp needs --sender ADDRESS.") }
        var configuration = SMTPTransport.Configuration(
            host: host, port: url.port ?? (url.scheme == "smtps" ? 465 : 587),
            protection: url.scheme == "smtps" ? .implicitTLS : .startTLS,
            // The shorter names of environment variables are older and still valid.
            user: settings.text("smtp_user") ?? environment["PARLEY_SMTP_USER"],
            password: settings.text("smtp_password") ?? environment["PARLEY_SMTP_PASSWORD"])
        configuration.certificateAuthorityFile = invocation[smtpCA]
        return .server(configuration, sender: try EmailAddress(sender))
    }

    private static func hook(_ invocation: Invocation, _ settings: ServerConfiguration) throws -> HookOptions? {
        guard let url = invocation[hookURL] else {
            guard !invocation.isGiven(hookWhenAway) else {
                throw invocation.error(english: "--hook-when-away needs --hook-url.")
            }
            return nil
        }
        guard let secret = settings.text("hook_secret").flatMap({ HookSecret($0) }) else {
            throw invocation.error(
                english:
                    "--hook-url needs the setting hook_secret: whsec_ and base 64 of 24 to 64 bytes. Make one: "
                    + "echo whsec_$(openssl rand -base64 32)")
        }
        var hook = HookOptions(url: url, secret: secret)
        hook.whenAway = invocation[hookWhenAway] ?? hook.whenAway
        return hook
    }

    /// Reads the certificate and its key; nil without TLS.
    func readTLS() throws -> HTTPServerConfiguration.TLS? {
        let read = { (path: String) in
            do {
                return try String(contentsOf: URL(filePath: path), encoding: .utf8)
            } catch {
                throw UsageError(
                    text: UsageText("{path} cannot be read: check path and permissions.", ["path": path]),
                    command: command)
            }
        }
        return try tlsFiles.map { files in
            try HTTPServerConfiguration.TLS(certificateChain: read(files.certificate), privateKey: read(files.key))
        }
    }

    @Sendable private static func address(_ text: String) -> String? {
        guard let url = URL(string: text), url.scheme == "https" || url.scheme == "http", url.host() != nil,
            url.query() == nil, url.fragment() == nil
        else { return nil }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}

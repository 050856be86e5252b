// SPDX-License-Identifier: MIT

import AuthServer
import Diagnostics
import FoundationEssentials
import HTTPServer
import Networking
import ParleyServer

/// The command line of `parley-server serve`.
struct ServeArguments {
    static let help = """
        usage: parley-server serve [--dev] [OPTION…]
               parley-server keys rotate [--home DIR]
               parley-server cues import FILE | list | remove ID [--home DIR]
               parley-server backup DIR | restore DIR [--home DIR]
               parley-server settings
               parley-server simulate-openai [OPTION…]

        serve      answers requests until Ctrl-C; prints {"address":…} once it listens
        keys rotate
                   lets a new signing key take over; a running server takes it over at SIGHUP
        cues import
                   adds cues, or replaces those of the same name: a JSON object a line, as cues list shows them;
                   id and created_at may be missing
        cues list, cues remove
                   shows the catalogue, or takes a cue away
        backup     copies databases, recordings and keys into a new folder, also while the server runs
        restore    puts a backup into an empty home, while no server runs there
        settings   shows what --config FILE may hold: every name with its default
        simulate-openai
                   answers as OpenAI's API does, for tests; --help has its options

          --dev              no configuration needed: this machine only, mail into a folder
          --host ADDRESS     the interface to listen on (default 127.0.0.1)
          --port N           the port to listen on; 0 takes a free one (default 9999)
          --home DIR         where everything is kept
                             (default $PARLEY_SERVER_HOME, else ~/.local/share/parley-server)
          --mail DIR         put mails into a maildir (with --dev the default: HOME/mail)
          --smtp URL         send mails by smtp://HOST:PORT (STARTTLS) or smtps://HOST:PORT; user name and
                             password are the settings smtp_user and smtp_password
          --sender ADDRESS   whom mails come from; needed with --smtp
          --smtp-ca FILE     certificates to trust for the mail server instead of the system's, in PEM
          --public URL       where the server is reached from outside; needed without --dev
          --redirect URL     a place that browsers may be sent to after signing in; may be repeated
          --proxies N        how many proxies stand before the server and write X-Forwarded-For
          --metrics-port N   serve /metrics, /healthz and /readyz on this port, too; 0 takes a free one
          --metrics-host ADDRESS
                             the interface of the metrics port (default 127.0.0.1)
          --tls-certificate FILE, --tls-key FILE
                             certificate chain and key in PEM; without them plain HTTP. SIGHUP reads them again
          --no-sign-up       only addresses that have an account may sign in
          --config FILE      limits, quotas and secrets in JSON; the environment ($PARLEY_SERVER_NAME) and
                             systemd's credentials take the same names, and go before it
          --log-level LEVEL  trace, debug, info, notice, warning, error or critical (default info)
          --log-format FORM  text or json on standard error (default text; under systemd the journal's fields)
          --verbose          the same as --log-level debug

        """

    var options: ServerOptions
    var log = ServerLog()
    /// The files of ``ServerOptions/tls``.
    private let tlsFiles: (certificate: String, key: String)?

    /// - Throws: ``ArgumentError``.
    init(_ words: [String], environment: [String: String]) throws {
        var (values, flags, redirects) = ([String: String](), Set<String>(), Set<String>())
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--dev", "--no-sign-up", "--verbose": flags.insert(word)
            case "--host", "--port", "--home", "--mail", "--smtp", "--sender", "--smtp-ca", "--public", "--redirect",
                "--proxies", "--tls-certificate", "--tls-key", "--config", "--log-level", "--log-format",
                "--metrics-port", "--metrics-host":
                guard let value = rest.popFirst(), !value.isEmpty else { throw ArgumentError("\(word) needs a value") }
                if word == "--redirect" { redirects.insert(value) } else { values[word] = value }
            default: throw ArgumentError("unknown argument: \(word)")
            }
        }
        let isDevelopment = flags.contains("--dev")
        let home = try values["--home"] ?? Self.home(environment)
        let used = ["--tls-certificate", "--tls-key", "--smtp-ca"].compactMap { values[$0] }
        let configuration = try ServerConfiguration(
            file: values["--config"], environment: environment, usedPaths: Set(used))
        options = ServerOptions(
            home: home,
            mail: try Self.mail(values, home: home, isDevelopment: isDevelopment, configuration, environment))
        configuration.apply(to: &options)
        options.redirects = redirects
        options.host = values["--host"] ?? options.host
        options.port = try Self.number(values["--port"] ?? "9999", 0...65_535, "--port")
        if let port = values["--metrics-port"] {
            options.metrics = (
                values["--metrics-host"] ?? "127.0.0.1", try Self.number(port, 0...65_535, "--metrics-port")
            )
        } else if values["--metrics-host"] != nil {
            throw ArgumentError("--metrics-host needs --metrics-port")
        }
        options.proxyCount = try Self.number(values["--proxies"] ?? "0", 0...10, "--proxies")
        if flags.contains("--no-sign-up") { options.policy.allowsSignUp = false }
        tlsFiles = try Self.tlsFiles(values)
        options.tls = try readTLS()
        options.publicAddress = try values["--public"].map(Self.publicAddress)
        guard isDevelopment || options.publicAddress != nil else {
            throw ArgumentError("give --public URL, the address that stands in mails, or --dev")
        }
        guard !isDevelopment || options.host == "127.0.0.1" || options.host == "::1" else {
            throw ArgumentError("--dev listens on this machine only; leave out --host or --dev")
        }
        log = try Self.log(values, isVerbose: flags.contains("--verbose"))
    }

    private static func log(_ values: [String: String], isVerbose: Bool) throws -> ServerLog {
        var log = ServerLog()
        if isVerbose { log.level = .debug }
        if let name = values["--log-level"] {
            guard let level = LogLevel.allCases.first(where: { "\($0)" == name }) else {
                let names = LogLevel.allCases.map { "\($0)" }.joined(separator: ", ")
                throw ArgumentError("--log-level takes one of \(names)")
            }
            log.level = level
        }
        if let name = values["--log-format"] {
            guard let format = ServerLog.Format(rawValue: name) else {
                throw ArgumentError("--log-format takes text or json")
            }
            log.format = format
        }
        return log
    }

    static func home(_ environment: [String: String]) throws -> String {
        if let home = environment["PARLEY_SERVER_HOME"], !home.isEmpty { return home }
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/parley-server" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw ArgumentError("there is no home folder: give --home DIR")
        }
        return home + "/.local/share/parley-server"
    }

    private static func mail(
        _ values: [String: String], home: String, isDevelopment: Bool, _ settings: ServerConfiguration,
        _ environment: [String: String]
    ) throws -> ServerOptions.Mail {
        guard let text = values["--smtp"] else {
            guard values["--mail"] != nil || isDevelopment else {
                throw ArgumentError("give --smtp URL and --sender ADDRESS, or --mail DIR")
            }
            return .folder(values["--mail"] ?? home + "/mail")
        }
        guard values["--mail"] == nil else { throw ArgumentError("--mail and --smtp exclude each other") }
        guard let url = URL(string: text), let host = url.host(), let scheme = url.scheme,
            scheme == "smtp" || scheme == "smtps"
        else { throw ArgumentError("--smtp takes smtp://HOST:PORT or smtps://HOST:PORT") }
        guard let sender = values["--sender"] else { throw ArgumentError("--smtp needs --sender ADDRESS") }
        var configuration = SMTPTransport.Configuration(
            host: host, port: url.port ?? (scheme == "smtps" ? 465 : 587),
            protection: scheme == "smtps" ? .implicitTLS : .startTLS,
            // The shorter names of the environment are older, and go on working.
            user: settings.text("smtp_user") ?? environment["PARLEY_SMTP_USER"],
            password: settings.text("smtp_password") ?? environment["PARLEY_SMTP_PASSWORD"])
        configuration.certificateAuthorityFile = values["--smtp-ca"]
        return .server(configuration, sender: try EmailAddress(sender))
    }

    private static func tlsFiles(_ values: [String: String]) throws -> (certificate: String, key: String)? {
        switch (values["--tls-certificate"], values["--tls-key"]) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return (certificate, key)
        default: throw ArgumentError("--tls-certificate and --tls-key go together")
        }
    }

    /// Reads the certificate and its key; nil without TLS.
    func readTLS() throws -> HTTPServerConfiguration.TLS? {
        let read = { (path: String) in
            do {
                return try String(contentsOf: URL(filePath: path), encoding: .utf8)
            } catch {
                throw ArgumentError("\(path) cannot be read: check path and permissions")
            }
        }
        return try tlsFiles.map { files in
            try HTTPServerConfiguration.TLS(certificateChain: read(files.certificate), privateKey: read(files.key))
        }
    }

    private static func publicAddress(_ text: String) throws -> String {
        guard let url = URL(string: text), url.scheme == "https" || url.scheme == "http", url.host() != nil,
            url.query() == nil, url.fragment() == nil
        else { throw ArgumentError("--public takes an address such as https://auth.example.org") }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    private static func number(_ text: String, _ range: ClosedRange<Int>, _ option: String) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw ArgumentError("\(option) takes a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

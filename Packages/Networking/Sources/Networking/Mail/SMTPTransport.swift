// SPDX-License-Identifier: MIT

import CCurl
import Concurrency
import Diagnostics

/// Sends messages to a mail server (RFC 5321), over TLS and with a password if it demands one.
///
/// Messages may be sent from any number of tasks at once; each takes a connection and a thread of its own. Cancelling
/// the task ends the transfer within a second; it is then unknown if the server took the message.
public final class SMTPTransport: Sendable {
    private let configuration: Configuration
    private let clock: ClientClock

    /// - Parameter clock: The clock of the time-out.
    /// - Throws: ``NetworkError`` with the code `invalidRequest` if host, port or a name is invalid, `insecure` for a
    ///   password without TLS, and `libraryMissing` without libcurl.
    public init(_ configuration: Configuration, clock: ClientClock = .system) throws(NetworkError) {
        try CurlLibrary.start()
        let isPlain = { (text: String) in !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
        guard isPlain(configuration.host), isPlain(configuration.localName), (1...65_535).contains(configuration.port),
            !configuration.host.contains(where: { "/@?#".contains($0) }),
            !configuration.localName.contains(where: { "/@?#".contains($0) })
        else {
            throw NetworkError(
                code: .invalidRequest, message: "Check the mail server's name, its port and the local name.")
        }
        guard configuration.protection != .none || configuration.password == nil else {
            throw NetworkError(
                code: .insecure, message: "A password is not sent without TLS. Use STARTTLS or implicit TLS.")
        }
        self.configuration = configuration
        self.clock = clock
    }

    /// Sends a message; returns when the server has taken it.
    ///
    /// - Parameters:
    ///   - message: A message of RFC 5322: lines that end with CR LF. Dots at their starts are escaped.
    ///   - sender: The address that the server reports failures to, `name@host`; empty for none.
    ///   - recipients: `name@host` each.
    /// - Throws: ``NetworkError``; `status` has the server's reply code if there was one: 400 to 499 may work later,
    ///   500 to 599 will not.
    public func send(_ message: [UInt8], from sender: String, to recipients: [String]) async throws {
        guard !recipients.isEmpty, recipients.allSatisfy(Self.isAddress), sender.isEmpty || Self.isAddress(sender)
        else {
            throw NetworkError(code: .invalidRequest, message: "Write mail addresses as name@example.org.")
        }
        try await converse(message, from: sender, to: recipients)
    }

    /// Performs all steps of sending a message except the message itself: connects, encrypts, logs in, says good-bye.
    /// Shows if these steps work, and costs about as much as a message.
    ///
    /// - Throws: As ``send(_:from:to:)`` does.
    public func rehearse() async throws {
        try await converse([], from: "", to: [])
    }

    /// Without recipients it sends a command that does nothing, in place of a message.
    private func converse(_ message: [UInt8], from sender: String, to recipients: [String]) async throws {
        let upload = MailUpload(message, until: clock.now() + configuration.timeout, clock: clock)
        try await withTaskCancellationHandler {
            try await BlockingCall.run { [self] in try perform(upload, sender, recipients) }
        } onCancel: {
            upload.cancel()
        }
    }

    private func perform(_ upload: MailUpload, _ sender: String, _ recipients: [String]) throws {
        guard let easy = CurlEasy() else {
            throw NetworkError(
                code: .outOfMemory, message: "No memory is left for a connection. Close other connections.")
        }
        easy.reset()
        let isImplicit = configuration.protection == .implicitTLS
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        easy.set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        easy.set(
            CURLOPT_URL, "\(isImplicit ? "smtps" : "smtp")://\(host):\(configuration.port)/\(configuration.localName)")
        easy.set(CURLOPT_USE_SSL, configuration.protection == .none ? ccurl_use_ssl_none : ccurl_use_ssl_all)
        easy.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        easy.setConnectTimeout(configuration.connectTimeout)
        // The environment's proxies are for the web.
        easy.set(CURLOPT_PROXY, "")
        if let file = configuration.certificateAuthorityFile { easy.trust(only: file) }
        if let user = configuration.user { easy.set(CURLOPT_USERNAME, user) }
        if let password = configuration.password { easy.set(CURLOPT_PASSWORD, password) }
        if recipients.isEmpty {
            easy.set(CURLOPT_CUSTOMREQUEST, "NOOP")
            easy.set(CURLOPT_NOBODY, 1)
        } else {
            easy.set(CURLOPT_MAIL_FROM, "<\(sender)>")
            easy.set(CURLOPT_MAIL_RCPT, list: recipients.map { "<\($0)>" })
            easy.set(CURLOPT_UPLOAD, 1)
            easy.set(CURLOPT_INFILESIZE_LARGE, offset: Int64(upload.count))
        }
        // The callback checks the time limit, since libcurl's own does not cover the good-bye to a server that hangs;
        // and the good-bye belongs to this call, not to a later one.
        easy.set(CURLOPT_NOPROGRESS, 0)
        easy.set(CURLOPT_FORBID_REUSE, 1)
        let context = Unmanaged.passUnretained(upload).toOpaque()
        easy.set(CURLOPT_READDATA, pointer: context)
        easy.set(CURLOPT_XFERINFODATA, pointer: context)
        ccurl_set_data_callback(easy.handle, CURLOPT_READFUNCTION) { data, size, count, context in
            guard let data, let context else { return 0 }
            return Unmanaged<MailUpload>.fromOpaque(context).takeUnretainedValue()
                .read(into: UnsafeMutableRawBufferPointer(start: data, count: size * count))
        }
        ccurl_set_progress_callback(easy.handle) { context, _, _, _, _ in
            guard let context else { return 0 }
            return Unmanaged<MailUpload>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
        }
        let result = withExtendedLifetime(upload) { curl_easy_perform(easy.handle) }
        // A message that was accepted is sent, cancelled or not.
        guard result != CURLE_OK else { return }
        if upload.isCancelled { throw CancellationError() }
        guard !upload.isOver else {
            throw NetworkError.timeout(.timeout, "The message was not accepted", configuration.timeout)
        }
        throw NetworkError(mail: result, on: easy)
    }

    /// True if the text has no character that could end the angle brackets or the line.
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 254
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
    }
}

/// The message on its way: read by libcurl's thread, cancelled by any.
private final class MailUpload: Sendable {
    let count: Int
    private let deadline: Duration
    private let clock: ClientClock
    private let state: Guarded<(rest: ArraySlice<UInt8>, isCancelled: Bool)>

    init(_ message: [UInt8], until deadline: Duration, clock: ClientClock) {
        self.deadline = deadline
        self.clock = clock
        count = message.count
        state = Guarded((message[...], false))
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// True once the message is cancelled or its time is over.
    var isOver: Bool { isCancelled || clock.now() >= deadline }

    func cancel() {
        state.withLock { $0.isCancelled = true }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { state in
            let piece = state.rest.prefix(buffer.count)
            buffer.copyBytes(from: piece)
            state.rest = state.rest.dropFirst(piece.count)
            return piece.count
        }
    }
}

extension NetworkError {
    /// Translates libcurl's result of a sent message.
    fileprivate init(mail result: CURLcode, on easy: CurlEasy) {
        let reply = easy.long(CURLINFO_RESPONSE_CODE)
        let underlying = CurlResult(rawValue: result.rawValue)
        switch result {
        case CURLE_LOGIN_DENIED:
            self.init(
                code: .unauthorized, message: "The mail server refuses the user name or the password.",
                underlying: underlying, status: reply > 0 ? reply : nil)
        case CURLE_USE_SSL_FAILED:
            self.init(
                code: .secure, message: "The mail server does not offer STARTTLS, so nothing was sent to it.",
                underlying: underlying)
        case _ where reply >= 400:
            let advice = reply < 500 ? "Try again later." : "Check the sender, the recipient and the server's rules."
            self.init(
                code: .status, message: "The mail server refuses the message (\(reply)). \(advice)",
                underlying: underlying, status: reply)
        default:
            self.init(curl: result, on: easy, timeouts: nil)
        }
    }
}

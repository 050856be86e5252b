// SPDX-License-Identifier: MIT

import Domain
import Glibc
import Security

/// Asks for a secret text: at the terminal without echo, or from standard input.
struct SecretPrompt {
    let console: Console

    /// A secret: the whole of a pipe without one line feed at its end, or a typed line.
    func value(_ question: Sentence) async throws -> Sensitive<[UInt8]> {
        let input = InputStream()
        guard !input.isTerminal else { return try await typed(question) }
        guard var bytes = try await input.readToEnd(limit: SecretLimit.valueByteCount + 1) else {
            throw SecretStoreError(
                code: .valueTooLarge, message: "A secret has at most \(SecretLimit.valueByteCount) bytes.")
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard !bytes.isEmpty else { throw Self.nothing }
        return Sensitive(bytes)
    }

    /// A passphrase, always typed at the terminal, since standard input may be the secret itself.
    func passphrase(_ question: Sentence) async throws -> Sensitive<[UInt8]> {
        try await typed(question)
    }

    private func typed(_ question: Sentence) async throws -> Sensitive<[UInt8]> {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else {
            throw DomainError.file("A passphrase is needed, and there is no terminal to type it at. Run parley in one.")
        }
        defer { close(terminal) }
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else {
            throw DomainError.file("The terminal cannot hide what is typed. Use another terminal.")
        }
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(terminal, TCSAFLUSH, &silent)
        defer { tcsetattr(terminal, TCSAFLUSH, &settings) }
        try OutputStream(descriptor: terminal).write(console.text(question))
        var lines = InputStream(descriptor: terminal).lines(1).makeAsyncIterator()
        let line = await lines.next()
        try? OutputStream(descriptor: terminal).write("\n")
        try Task.checkCancellation()
        guard let line, !line.isEmpty else { throw Self.nothing }
        return Sensitive(utf8: line)
    }

    private static let nothing = DomainError.file("Nothing was given. Type the secret, or pipe it in.")
}

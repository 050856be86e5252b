// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TestKit
import Testing

/// `parley-server serve --dev` as a process of its own, and the mails that it writes.
final class SignInServer: Sendable {
    /// What a mail brings.
    struct Mail: Sendable {
        let recipient: String
        let link: String
        let code: String

        /// A code that this one is not.
        var wrongCode: String { code == "000000" ? "000001" : "000000" }
    }

    /// Where the server listens.
    let address: String
    /// Where the operator's endpoints are.
    let metrics: String
    private let home: String
    private let mails: String
    private let process: ChildProcess

    /// Starts a server that keeps everything in a folder.
    ///
    /// - Parameters:
    ///   - port: Where it listens; 0 for a free port.
    ///   - log: The file for everything that it logs; without one it logs as usual, to nowhere.
    ///   - arguments: Further words of its command line.
    init(home: String, port: UInt16 = 0, log: String? = nil, arguments: [String] = []) throws {
        self.home = home
        mails = home + "/mail"
        // The server ends with this process, even if that is killed; its output ends with the server.
        process = try ChildProcess(
            "sh",
            [
                "-c", #"log=$1; shift; "$0" "$@" 2>>"$log" & exec >&-; read -r _; kill -KILL $!; wait"#,
                ParleyProcess.executable + "-server", log ?? "/dev/null", "serve",
                "--dev", "--port", "\(port)", "--home", home, "--mail", mails, "--metrics-port", "0",
            ] + (log == nil ? [] : ["--log-level", "debug"]) + arguments, input: .pipe, errors: .discarded)
        let values = try JSONDecoder().decode([String: String].self, from: Data((process.line() ?? "").utf8))
        (address, metrics) = (values["address"] ?? "", values["metrics"] ?? "")
    }

    /// The port of 127.0.0.1 that the server listens on.
    var port: UInt16 { address.split(separator: ":").last.flatMap { UInt16($0) } ?? 0 }

    /// Ends the server without a warning.
    func kill() {
        process.closeInput()
        process.wait()
    }

    /// Runs a command of the operator's.
    func manage(_ words: String...) async throws {
        let result = try await ChildProcess(
            ParleyProcess.executable + "-server", words + ["--home", home], errors: .captured
        ).finished()
        try #require(result.code == 0, "\(result.errors)")
    }

    /// The mail of that number, from 1 on; waits for it.
    func mail(_ number: Int = 1) async throws -> Mail {
        let texts = try await Self.files(in: mails + "/new", atLeast: number)
        let text = texts[number - 1]
        return Mail(
            recipient: String(try #require(text.firstMatch(of: /To: <(.*)>/)?.output.1)),
            link: String(try #require(text.firstMatch(of: /http:.*&type=magiclink/)?.output)),
            code: String(try #require(text.firstMatch(of: /\ {4}([0-9]{6})/)?.output.1)))
    }

    /// How many mails there are.
    var mailCount: Int { (try? FileManager.default.contentsOfDirectory(atPath: mails + "/new").count) ?? 0 }

    /// The contents of a maildir, whose names sort by age, once there are so many files in it.
    private static func files(in folder: String, atLeast count: Int) async throws -> [String] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try Self.awaited(in: folder, atLeast: count) })
            }
        }
    }

    private static func awaited(in folder: String, atLeast count: Int) throws -> [String] {
        let watch = inotify_init1(Int32(IN_CLOEXEC))
        defer { close(watch) }
        inotify_add_watch(watch, folder, UInt32(IN_MOVED_TO))
        while true {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            if names.count >= count {
                return try names.map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
            }
            var polled = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, 60_000) > 0 else { throw NoMail(expected: count, there: names.count) }
            var events = [UInt8](repeating: 0, count: 4_096)
            _ = read(watch, &events, events.count)
        }
    }

    struct NoMail: Error {
        let expected: Int
        let there: Int
    }
}

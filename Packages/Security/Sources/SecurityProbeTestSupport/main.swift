// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Security
import SecuritySecretService
import SecurityTestSupport

// The program that the tests run as a separate process: under another session bus, under limits, or to be killed. It
// prints one line for each result.

signal(SIGPIPE, SIG_DFL)
signal(SIGXFSZ, SIG_IGN)

let arguments = Array(CommandLine.arguments.dropFirst())
/// Writes a line at once, so that it is out when the process is killed.
func say(_ line: some CustomStringConvertible) {
    let bytes = Array((line.description + "\n").utf8)
    _ = write(1, bytes, bytes.count)
}

let secretService = SecretServiceStore()

func emptied() async throws -> any SecretStore {
    for name in try await secretService.names(service: nil) { try await secretService.delete(name) }
    return secretService
}

func openFile() async throws -> FileSecretStore {
    try await FileSecretStore.open(arguments[1], protection: .keyFile(arguments[1] + ".key"))
}

func word(_ error: any Error) -> String {
    (error as? SecretStoreError)?.code.rawValue ?? (error as? SecurityError)?.code.rawValue ?? "\(error)"
}

/// Limits the size of files to a number of bytes, as if the disk were full then.
func limitFiles(to count: String) {
    var limit = rlimit()
    limit.rlim_cur = rlim_t(count) ?? 0
    limit.rlim_max = limit.rlim_cur
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}

do {
    switch arguments.first {
    case "contract":
        for check in SecretStoreContract.checks {
            do {
                try await check.run(try await emptied())
                say("kept: \(check.description)")
            } catch {
                say("broken: \(check.description): \(error)")
            }
        }
        _ = try await emptied()
    case "probe":
        try await secretService.probe()
        say("ok")
    case "best":
        say("\(type(of: try await SecretStores.best(in: arguments[1])))")
    case "set":
        try await secretService.set(
            Sensitive(utf8: arguments[3]), for: SecretName(service: arguments[1], account: arguments[2]))
        say("ok")
    case "get":
        let name = try SecretName(service: arguments[1], account: arguments[2])
        let value = try await secretService.value(for: name)
        say(value.map { "found \($0.withExposed { String(decoding: $0, as: UTF8.self) })" } ?? "absent")
    case "get-again":
        // Asks the same before and after a line on the standard input, in one process.
        let name = try SecretName(service: arguments[1], account: arguments[2])
        repeat {
            do {
                say(try await secretService.value(for: name) == nil ? "absent" : "found")
            } catch {
                say(word(error))
            }
        } while readLine() != nil
    case "fill":
        // Stores values in a file until it fails, then reads the acknowledged ones.
        limitFiles(to: arguments[2])
        let store = try await openFile()
        var stored = 0
        do {
            while stored < 1_000 {
                try await store.set(
                    Sensitive([UInt8](repeating: UInt8(stored % 256), count: 1_000)),
                    for: SecretName(service: "fill", account: "\(1_000 + stored)"))
                stored += 1
            }
        } catch {
            say(word(error))
        }
        say("stored \(stored), kept \(try await store.names(service: "fill").count)")
    case "fill-sealed":
        limitFiles(to: arguments[2])
        let writer = try await SealedFileWriter.create(
            at: arguments[1], key: SymmetricKey([UInt8](repeating: 7, count: 32)), context: [UInt8](), chunkExponent: 12
        )
        do {
            for _ in 0..<1_000 { try await writer.append(Data(repeating: 0x41, count: 1_000)) }
        } catch {
            say(word(error))
        }
        do { try await writer.append(Data([1])) } catch { say(word(error)) }
    case "count":
        // Stores growing numbers under one name and prints each once it is stored.
        let store = try await openFile()
        for number in 1... {
            try await store.set(
                Sensitive(utf8: "\(number)"), for: SecretName(service: "count", account: arguments[2]))
            say(number)
            if number == Int(arguments[3]) { break }
        }
    default:
        say("unknown command")
        exit(2)
    }
} catch {
    say(word(error))
    exit(1)
}

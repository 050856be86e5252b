// SPDX-License-Identifier: MIT

import Diagnostics
import Foundation
import Testing

@testable import Security

@Suite struct RedactionTests {
    private struct Settings {
        var user = "ada"
        var password: Sensitive<String>
        var key: SymmetricKey
    }

    private struct Failure: Error {
        let key: Sensitive<[UInt8]>
    }

    private static let word = "hunter2hunter2hunter2hunter2hunt"

    private func everyText<Value>(of value: Value) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        let message: LogMessage = "\(value, privacy: .public)"
        // An interpolation in a generic function is how a value reaches a string without a warning.
        return [
            dumped, message.text, "\(value)", String(describing: value), String(reflecting: value),
            "\(Mirror(reflecting: value).children.map { $0 })", "\([value])", "\(Optional(value) as Any)",
        ]
    }

    @Test func nothingShowsASensitiveValue() throws {
        let settings = Settings(password: Sensitive(Self.word), key: try SymmetricKey(utf8(Self.word)))
        let codes = utf8(Self.word).prefix(4).map(String.init).joined(separator: ", ")
        let (signing, agreement) = (try Ed25519.PrivateKey(utf8(Self.word)), try X25519.PrivateKey(utf8(Self.word)))
        let texts =
            everyText(of: settings) + everyText(of: settings.password) + everyText(of: settings.key)
            + everyText(of: Sensitive(utf8(Self.word))) + everyText(of: Failure(key: Sensitive(utf8(Self.word))))
            + everyText(of: signing) + everyText(of: agreement)
        for text in texts {
            #expect(!text.contains(Self.word) && !text.contains("hunter2") && !text.contains(codes))
        }
        #expect(everyText(of: settings).allSatisfy { $0.contains("ada") })
        #expect("\(settings.key)" == "<SymmetricKey>")
        #expect(Mirror(reflecting: settings.password).children.isEmpty)
    }

    @Test func exposingIsTheOnlyWay() throws {
        #expect(Sensitive(7).withExposed { $0 + 1 } == 8)
        #expect(Sensitive(utf8: "héllo").withExposed { $0 } == utf8("héllo"))
        #expect(!(Sensitive("a") as Any is any Encodable))
        #expect(!(try SymmetricKey() as Any is any Encodable))
    }

    @Test func secretsAreOverwrittenOnRelease() throws {
        let count = 3_000
        // The kernel reads what was freed, so no sanitizer minds. All that is needed is allocated before, since what is
        // allocated afterwards could lie just there.
        let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        defer { close(memory) }
        let seen = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
        defer { seen.deallocate() }
        func patternCount(at address: Int) -> Int {
            seen.initialize(repeating: 0)
            guard pread(memory, seen.baseAddress, count, off_t(address)) == count else { return -1 }
            return seen.reduce(0) { $0 + ($1 == 0x5A ? 1 : 0) }
        }
        var (first, second) = (0, 0)
        var (before, after) = ((0, 0), (0, 0))
        do {
            var bytes = [UInt8](repeating: 0x5A, count: count)
            bytes.withUnsafeMutableBytes { first = Int(bitPattern: $0.baseAddress) }
            let sensitive = Sensitive(consume bytes)
            let secure = try SecureBytes(count: count) { $0.initializeMemory(as: UInt8.self, repeating: 0x5A) }
            secure.withUnsafeBytes { second = Int(bitPattern: $0.baseAddress) }
            before = (patternCount(at: first), patternCount(at: second))
            withExtendedLifetime((sensitive, secure)) {}
        }
        after = (patternCount(at: first), patternCount(at: second))
        #expect(before == (count, count))
        // Another thread may own the memory by now; the pattern is what must not be there.
        #expect(after.0 < 64 && after.1 < 64)
    }

    @Test func secureBytesKeepWhatTheyWereGiven() throws {
        for count in [0, 1, 32, 4_096, 4_097, 100_000] {
            let source = try SecureRandom.bytes(count)
            #expect(try source.withUnsafeBytes { try SecureBytes(copying: $0) }.exposed == source)
        }
        // More than the secure heap holds: the rest lies in ordinary memory.
        let many = try (0..<3_000).map { _ in try SymmetricKey() }
        #expect(Set(many.map(\.exposed)).count == 3_000)
    }
}

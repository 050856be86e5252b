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

    /// What lies at an address now, also when it was freed: the kernel reads it, so no sanitizer minds.
    private func memory(at address: UInt, count: Int) throws -> [UInt8] {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/mem"))
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(file.fileDescriptor, &bytes, count, off_t(address))
        return read == count ? bytes : []
    }

    @Test func secretsAreOverwrittenOnRelease() throws {
        let count = 256
        var addresses: [UInt] = []
        do {
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                buffer.initialize(repeating: 0x5A)
                initialized = count
            }
            bytes.withUnsafeBytes { addresses.append(UInt(bitPattern: $0.baseAddress)) }
            let sensitive = Sensitive(consume bytes)
            let secure = try SecureBytes(count: count) { $0.initializeMemory(as: UInt8.self, repeating: 0x5A) }
            secure.withUnsafeBytes { addresses.append(UInt(bitPattern: $0.baseAddress)) }
            for address in addresses {
                #expect(try memory(at: address, count: count).allSatisfy { $0 == 0x5A })
            }
            withExtendedLifetime((sensitive, secure)) {}
        }
        for address in addresses {
            // Another thread may own the memory by now; the pattern is what must not be there.
            let rest = try memory(at: address, count: count)
            #expect(!rest.dropFirst(32).contains(0x5A) || rest.filter { $0 == 0x5A }.count < 16)
        }
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

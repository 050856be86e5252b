// SPDX-License-Identifier: MIT

import Concurrency
import Glibc
import Security
import Testing

/// Random bytes of libcrypto that a seed decides, within one task: keys and nonces are the same in each run of a seed.
enum SeededRandomness {
    @TaskLocal private static var generator: Generator?

    private final class Generator: Sendable {
        let state: Guarded<SplitMix64>
        init(seed: UInt64) { state = Guarded(SplitMix64(seed: seed)) }
    }

    /// RAND_METHOD of openssl/rand.h: seed, bytes, cleanup, add, pseudorand, status.
    private struct Method {
        var seed: UnsafeRawPointer?
        var bytes: (@convention(c) (UnsafeMutablePointer<UInt8>?, CInt) -> CInt)?
        var cleanup: UnsafeRawPointer?
        var add: UnsafeRawPointer?
        var pseudorand: (@convention(c) (UnsafeMutablePointer<UInt8>?, CInt) -> CInt)?
        var status: (@convention(c) () -> CInt)?
    }

    /// Set once for the process; a task without a seed gets the system's randomness.
    private static let isInstalled: Bool = {
        _ = try? SHA256.hash([UInt8]())
        guard let library = dlopen("libcrypto.so.3", RTLD_NOW),
            let symbol = dlsym(library, "RAND_set_rand_method")
        else { return false }
        typealias Function = @convention(c) (UnsafeRawPointer?) -> CInt
        // SAFETY: the signature is RAND_set_rand_method's.
        let set = unsafeBitCast(symbol, to: Function.self)
        let method = UnsafeMutablePointer<Method>.allocate(capacity: 1)
        let fill: @convention(c) (UnsafeMutablePointer<UInt8>?, CInt) -> CInt = { SeededRandomness.fill($0, $1) }
        method.initialize(to: Method(bytes: fill, pseudorand: fill, status: { 1 }))
        return set(method) == 1
    }()

    private static func fill(_ bytes: UnsafeMutablePointer<UInt8>?, _ count: CInt) -> CInt {
        guard let bytes else { return 0 }
        guard let generator else {
            for index in 0..<Int(count) { bytes[index] = UInt8.random(in: .min ... .max) }
            return 1
        }
        generator.state.withLock { state in
            for index in 0..<Int(count) { bytes[index] = UInt8(truncatingIfNeeded: state.next()) }
        }
        return 1
    }

    static func with<Value>(seed: UInt64, _ body: () async throws -> Value) async throws -> Value {
        try #require(isInstalled)
        return try await $generator.withValue(Generator(seed: seed), operation: body)
    }
}

struct SeededRandomnessTests {
    @Test func `one seed gives one key`() async throws {
        var keys: [[UInt8]] = []
        for seed in [1, 1, 2] as [UInt64] {
            keys.append(
                try await SeededRandomness.with(seed: seed) {
                    try X25519.PrivateKey().publicKey.bytes + SecureRandom.bytes(8)
                })
        }
        #expect(keys[0] == keys[1] && keys[1] != keys[2])
        #expect(try SecureRandom.bytes(16) != SecureRandom.bytes(16))
    }
}

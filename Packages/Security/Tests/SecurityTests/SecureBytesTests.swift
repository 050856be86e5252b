// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Foundation
import Testing

@testable import Security

@Suite struct SecureBytesTests {
    /// libcrypto keeps the state of each thread's generator in the secure heap and fails where none is left.
    @Test("many secrets at once leave libcrypto what it needs itself")
    func roomForGenerators() throws {
        let secrets = try (0..<20_000).map { _ in try SecureBytes.random(count: 32) }
        let failures = Guarded<[String]>([])
        let (done, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let count = 64
        for _ in 0..<count {
            let thread = Thread {
                do { _ = try SecureBytes.random(count: 32) } catch { failures.withLock { $0.append("\(error)") } }
                done.signal()
                end.wait()
            }
            thread.start()
        }
        for _ in 0..<count { done.wait() }
        for _ in 0..<count { end.signal() }
        #expect(failures.withLock { $0 } == [])
        #expect(Set(secrets.map { $0.withUnsafeBytes { Array($0.prefix(16)) } }).count == secrets.count)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import Networking

@Suite struct AtomicFileTests {
    @Test func `what did not reach the disk replaces nothing`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("record")
        #expect(AtomicFile().replace(path, with: [1], isDurable: true) == 0)
        let failing = AtomicFile(synchronise: { _ in
            errno = EIO
            return false
        })
        #expect(failing.replace(path, with: [2], isDurable: true) == EIO)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data([1]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["record"])
    }
}

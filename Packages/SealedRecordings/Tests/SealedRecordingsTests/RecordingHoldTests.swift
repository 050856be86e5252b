// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import Glibc
import SealedRecordings
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct RecordingHoldTests {
    @Test func `a hold waits until another program has looked`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([1], to: "one")
        let look = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(look) }
        var status = stat()
        try #require(flock(look, LOCK_EX) == 0 && fstat(look, &status) == 0)
        let inode = ":\(status.st_ino) "
        async let hold = BlockingCall.run { RecordingHold(path) }
        do {
            defer { flock(look, LOCK_UN) }
            try await eventually("the hold waits") {
                try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
                    .contains { $0.contains("-> FLOCK") && $0.contains(inode) }
            }
        }
        let made = await hold
        #expect(RecordingHold.isHeld(path))
        withExtendedLifetime(made) {}
    }
}

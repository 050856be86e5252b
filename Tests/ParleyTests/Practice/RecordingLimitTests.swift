// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import parley

@Suite struct RecordingLimitTests {
    @Test(arguments: [#"{"days":200000000000000}"#, #"{"megabytes":9000000000000000000}"#, #"{"count":0}"#])
    func `a limit that no command sets is damaged`(json: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("recordings.json")
        try Data((json.dropLast() + #","includesUnsent":false}"#).utf8).write(to: URL(filePath: path))
        #expect {
            try RecordingLimit.load(from: path)
        } throws: {
            "\($0)".contains("damaged")
        }
    }

    @Test func `room of any size is counted`() {
        var status = statvfs()
        (status.f_bavail, status.f_frsize) = (.max, 4_096)
        #expect(StorageObstacle.room(status) == .max)
        (status.f_bavail, status.f_frsize) = (1 << 52, 4_096)
        #expect(StorageObstacle.room(status) == .max)
        (status.f_bavail, status.f_frsize) = (3, 4_096)
        #expect(StorageObstacle.room(status) == 12_288)
    }
}

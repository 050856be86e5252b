// SPDX-License-Identifier: MIT

import Testing

@Suite("Who may import whom")
struct ImportTests {
    @Test func `no file imports what it never may`() throws {
        let files = try Repository.here().files
        let owners = ImportRule.owners(files)
        #expect(owners["Domain"] == "Domain" && owners["CSQLite"] == "Persistence" && owners["parley"] == "")
        files.flatMap { ImportRule.violations(in: $0, owners: owners) }.expectNone()
    }

    private static let owners = [
        "Domain": "Domain", "DomainTestSupport": "Domain", "DataLayer": "Data", "Speech": "Speech", "CFlite": "Speech",
        "AudioKitLinux": "AudioKitLinux", "CALSA": "AudioKitLinux", "Networking": "Networking",
        "NetworkingTestSupport": "Networking", "Persistence": "Persistence", "CSQLite": "Persistence",
        "Diagnostics": "Diagnostics", "Concurrency": "Concurrency", "TestKit": "TestKit", "Auth": "Auth", "parley": "",
        "Sync": "Sync", "SyncWire": "Sync",
    ]

    @Test(arguments: [
        ("Packages/Domain/Sources/Domain/X.swift", "internal import Persistence", "behind a port"),
        ("Packages/Domain/Sources/DomainTestSupport/X.swift", "import Concurrency", "behind a port"),
        ("Packages/Diagnostics/Sources/Diagnostics/X.swift", "import Networking", "everyone's"),
        ("Packages/Concurrency/Sources/Concurrency/X.swift", "import Auth", "everyone's"),
        ("Packages/Persistence/Sources/Persistence/X.swift", "public import Domain", "conversation types"),
        ("Packages/Persistence/Sources/Persistence/X.swift", "import CALSA", "wraps it once"),
        (
            "Packages/Networking/Sources/NetworkingTestSupport/X.swift", "import struct Domain.Message",
            "conversation types"
        ),
        ("Packages/Speech/Tests/SpeechTests/X.swift", "import DomainTestSupport", "conversation types"),
        ("Packages/Auth/Sources/Auth/X.swift", "@preconcurrency import AudioKitLinux", "no sound library"),
        ("Packages/Data/Sources/DataLayer/X.swift", "import CSQLite", "wraps it once"),
        ("Packages/Data/Sources/DataLayer/X.swift", "import parley", "apps compose"),
        ("Packages/ParleyServer/Sources/ParleyServer/X.swift", "import Sync", "could open"),
        ("Apps/parley/Commands/X.swift", "import DomainTestSupport", "test support"),
        ("Apps/parley/X.swift", "internal import TestKit", "test support"),
        ("Apps/parley/X.swift", "internal import CFlite", "wraps it once"),
        ("Tests/ContractTests/X.swift", "import CSQLite", "wraps it once"),
        ("Apps/parley/X.swift", "import Foundation", "ICU"),
        ("Packages/Domain/Sources/Domain/X.swift", "import Foundation.NSDate", "ICU"),
        ("Packages/Domain/Sources/Domain/X.swift", "import FoundationNetworking", "third-party"),
        ("Packages/Speech/Sources/Speech/X.swift", "import Logging", "third-party"),
    ])
    func `a banned import is found, and the reason is said`(path: String, text: String, reason: String) {
        let violations = ImportRule.violations(
            in: RepositoryFile(path: path, text: "\n" + text + "\n"), owners: Self.owners)
        #expect(violations.count == 1 && violations.first?.line == 2)
        #expect(violations.report.rawValue.contains(reason))
    }

    @Test(arguments: [
        ("Packages/Data/Sources/DataLayer/X.swift", "public import Domain\nimport Persistence\nimport Glibc"),
        ("Packages/Data/Tests/DataLayerTests/X.swift", "import Foundation\nimport DomainTestSupport\nimport Testing"),
        ("Packages/Networking/Tests/NetworkingTests/X.swift", "import NetworkingTestSupport\nimport Networking"),
        ("Packages/Domain/Sources/Domain/X.swift", "// import Persistence\nlet text = \"import Speech\""),
        ("Packages/Domain/Sources/Domain/X.swift", "let text = \"\"\"\n    import Speech\n    \"\"\""),
        ("Packages/ParleyServer/Sources/ParleyServer/X.swift", "import SyncWire"),
        ("Packages/Domain/Tests/DomainTests/X.swift", "import TestKit\nimport Domain"),
        ("Packages/Speech/Sources/Speech/X.swift", "internal import CFlite\nprivate import FoundationEssentials"),
        ("Tests/ContractTests/X.swift", "import Domain\nimport Persistence\n@testable import DataLayer"),
    ])
    func `an allowed import passes`(path: String, text: String) {
        ImportRule.violations(in: RepositoryFile(path: path, text: text), owners: Self.owners).expectNone()
    }
}

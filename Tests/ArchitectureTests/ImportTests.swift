// SPDX-License-Identifier: MIT

import Testing

@Suite("Who may import whom")
struct ImportTests {
    @Test func `no file imports what its layer must not see`() throws {
        try Repository.here().files.flatMap(ImportRule.violations).expectNone()
    }

    @Test func `the scan sees the product`() throws {
        let modules = try Set(Repository.here().files.filter { $0.isProduct && $0.isSwift }.map(\.module))
        #expect(
            modules.isSuperset(
                of: ImportRule.table.map(\.importer).filter { $0 != "TestKit" && !$0.hasSuffix("TestSupport") }))
    }

    @Test(arguments: [
        ("Packages/Domain/Sources/Domain/X.swift", "internal import Persistence", "Domain states"),
        ("Packages/Domain/Sources/DomainTestSupport/X.swift", "import Speech", "without any infrastructure"),
        ("Packages/Diagnostics/Sources/Diagnostics/X.swift", "import Domain", "everyone's"),
        ("Packages/Persistence/Sources/Persistence/X.swift", "public import Domain", "only Persistence"),
        ("Packages/Persistence/Sources/Persistence/X.swift", "import CALSA", "only Persistence"),
        ("Packages/Networking/Sources/Networking/X.swift", "import Domain", "only Networking"),
        ("Packages/Networking/Sources/NetworkingTestSupport/X.swift", "import Persistence", "fakes of transports"),
        ("Packages/Speech/Tests/SpeechTests/X.swift", "import DomainTestSupport", "only Speech"),
        ("Packages/AudioKitLinux/Sources/AudioKitLinux/X.swift", "import struct Speech.Voice", "only AudioKitLinux"),
        ("Packages/Speech/Sources/Speech/A/X.swift", "@preconcurrency import Persistence", "only Speech"),
        ("Packages/Data/Sources/DataLayer/X.swift", "import CSQLite", "C libraries stay with their owners"),
        ("Packages/Data/Sources/DataLayer/X.swift", "import parley", "apps stay above"),
        ("Apps/parley/Commands/X.swift", "import DomainTestSupport", "nothing that ships needs test support"),
        ("Apps/parley/X.swift", "internal import TestKit", "nothing that ships needs test support"),
        ("Apps/parley/X.swift", "internal import CPocketSphinx", "the module that owns it"),
        ("Apps/parley/X.swift", "import Foundation", "ICU"),
        ("Packages/Domain/Sources/Domain/X.swift", "import Foundation.NSDate", "ICU"),
        ("Packages/Domain/Sources/Domain/X.swift", "import FoundationNetworking", "third-party"),
        ("Packages/Speech/Sources/Speech/X.swift", "import Logging", "third-party"),
        ("Packages/New/Sources/New/X.swift", "import Domain", "needs a row"),
        ("Packages/Persistence/Tests/PersistenceTests/X.swift", "@testable import DataLayer", "live in Tests/"),
    ])
    func `a banned import is found, and the reason is said`(path: String, text: String, reason: String) {
        let violations = ImportRule.violations(in: RepositoryFile(path: path, text: "\n" + text + "\n"))
        #expect(violations.count == 1 && violations[0].line == 2)
        #expect(violations.report.rawValue.contains(reason))
    }

    @Test(arguments: [
        ("Packages/Data/Sources/DataLayer/X.swift", "public import Domain\nimport Persistence\nimport Glibc"),
        ("Packages/Data/Tests/DataLayerTests/X.swift", "import Foundation\nimport DomainTestSupport\nimport Testing"),
        ("Packages/Networking/Tests/NetworkingTests/X.swift", "import NetworkingTestSupport\nimport Networking"),
        ("Packages/Domain/Sources/Domain/X.swift", "// import Persistence\nlet text = \"import Speech\""),
        ("Packages/Domain/Sources/Domain/X.swift", "let text = \"\"\"\n    import Speech\n    \"\"\""),
        ("Packages/Speech/Sources/Speech/X.swift", "internal import CFlite\nprivate import FoundationEssentials"),
        ("Tests/ContractTests/X.swift", "import Domain\nimport Persistence\n@testable import DataLayer"),
    ])
    func `an allowed import passes`(path: String, text: String) {
        ImportRule.violations(in: RepositoryFile(path: path, text: text)).expectNone()
    }
}

// SPDX-License-Identifier: MIT

import Security
import SecurityTestSupport
import TestKit
import Testing

/// The stores that need no other process; SecretServiceTests has the third.
@Suite struct SecretStoreContractTests {
    @Test(arguments: SecretStoreContract.checks)
    func inMemory(_ check: SecretStoreContract.Check) async throws {
        try await check.run(InMemorySecretStore())
    }

    @Test(arguments: SecretStoreContract.checks)
    func fileWithKeyFile(_ check: SecretStoreContract.Check) async throws {
        let folder = try TemporaryFolder()
        try await check.run(
            FileSecretStore.open(folder.file("secrets"), protection: .keyFile(folder.file("key"))))
    }

    @Test(arguments: SecretStoreContract.checks)
    func fileWithPassphrase(_ check: SecretStoreContract.Check) async throws {
        let folder = try TemporaryFolder()
        let cheap = try ScryptParameters(costExponent: 14)
        try await check.run(
            FileSecretStore.open(
                folder.file("secrets"), protection: .passphrase(Sensitive(utf8: "open sesame"), cheap)))
    }

    @Test(arguments: ["", String(repeating: "x", count: 256), "a\nb", "a\u{0}b", "a\u{7F}"])
    func namesThatNotEveryStoreCanKeepAreTurnedDown(part: String) {
        for (service, account) in [(part, "a"), ("a", part)] {
            #expect {
                try SecretName(service: service, account: account)
            } throws: {
                ($0 as? SecretStoreError)?.code == .invalidName
            }
        }
    }
}

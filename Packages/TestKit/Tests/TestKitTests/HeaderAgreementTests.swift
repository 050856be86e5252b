// SPDX-License-Identifier: MIT

import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct HeaderAgreementTests {
    @Test func `headers that disagree are found`() throws {
        #expect(try HeaderAgreement.holds(["stddef.h"], assertions: ["sizeof(char) == 1"]))
        #expect(try !HeaderAgreement.holds(["stddef.h"], assertions: ["sizeof(char) == 2"]))
    }
}

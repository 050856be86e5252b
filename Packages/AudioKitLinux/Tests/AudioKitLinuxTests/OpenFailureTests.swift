// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import AudioKitLinux

@Suite struct OpenFailureTests {
    @Test(arguments: [
        (ENOENT, OpenFailure.CardNodes.none, AudioError.Code.deviceNotFound, "no sound card"),
        (ENOENT, .usable, .deviceNotFound, "no sound device"),
        (ENOENT, .forbidden, .permission, "audio"),
        (EACCES, .usable, .permission, "usermod"),
        (EBUSY, .usable, .deviceBusy, "another program"),
        (EAGAIN, .usable, .deviceBusy, "another program"),
        (ECONNREFUSED, .none, .deviceNotFound, "sound server"),
        (EINVAL, .usable, .deviceNotFound, "List the devices"),
    ])
    func eachCauseHasItsWords(
        _ number: Int32, _ nodes: OpenFailure.CardNodes, _ code: AudioError.Code, _ words: String
    ) {
        let error = OpenFailure.error(name: "hw:0", code: -number, nodes: nodes, text: nil)
        #expect(error.code == code)
        #expect(error.message.contains(words) && error.message.contains("\"hw:0\""))
        #expect(error.description.hasSuffix("]"))
    }
}

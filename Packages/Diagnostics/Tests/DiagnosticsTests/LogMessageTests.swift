// SPDX-License-Identifier: MIT

import Diagnostics
import FoundationEssentials
import Testing

@Suite struct LogMessageTests {
    private struct Password: CustomStringConvertible {
        let description = "hunter2"
    }

    @Test func valuesArePrivateUnlessMarkedPublic() {
        let message: LogMessage = "user \("ada") waited \(12, privacy: .public) ms for \(3.5)"
        #expect(message.redacted == "user <private> waited 12 ms for <private>")
        #expect(message.text == "user ada waited 12 ms for 3.5")
        #expect(message.withoutPrivateText().text == message.redacted)
    }

    @Test func literalsHoldNothingPrivate() {
        let message: LogMessage = "ready"
        #expect(message.redacted == "ready")
        #expect(message.text == "ready")
        let allPublic: LogMessage = "\(1, privacy: .public)\("b", privacy: .public)"
        #expect(allPublic.text == "1b")
        #expect(allPublic.redacted == "1b")
    }

    @Test func everyWayToPrintAMessageShowsTheRedactedText() {
        let message: LogMessage = "password \(Password())"
        var dumped = ""
        dump(message, to: &dumped)
        for text in ["\(message as Any)", String(describing: message), String(reflecting: message), dumped] {
            #expect(!text.contains("hunter2"))
            #expect(text.contains("<private>"))
        }
    }

    @Test func hashMaskCorrelatesEqualValuesOnly() {
        func masked(_ value: String) -> String { LogMessage("\(value, privacy: .private(mask: .hash))").redacted }
        #expect(masked("ada") == masked("ada"))
        #expect(masked("ada") != masked("bob"))
        #expect(!masked("zoe").contains("zoe"))
        #expect(masked("ada").count == "<private:".count + 12 + ">".count)
    }

    @Test func aMessageInAMessageKeepsItsPrivacy() {
        let inner: LogMessage = "path \("/home/ada") mode \("0600", privacy: .public)"
        let outer: LogMessage = "open: \(inner); \("x")"
        #expect(outer.redacted == "open: path <private> mode 0600; <private>")
        #expect(outer.text == "open: path /home/ada mode 0600; x")
    }

    @Test func aRecordDropsPrivateTextUnlessAsked() {
        let message: LogMessage = "user \("ada")"
        let metadata: [String: LogMessage] = ["turn": "\(7)"]
        let kept = LogRecord(
            time: Date(timeIntervalSince1970: 0), level: .info, category: "c", message: message, metadata: metadata,
            revealsPrivate: true)
        let dropped = LogRecord(
            time: Date(timeIntervalSince1970: 0), level: .info, category: "c", message: message, metadata: metadata)
        #expect(kept.message.text == "user ada")
        #expect(kept.metadata["turn"]?.text == "7")
        #expect(dropped.message.text == "user <private>")
        #expect(dropped.metadata["turn"]?.text == "<private>")
    }
}

// SPDX-License-Identifier: MIT

import Diagnostics
import FoundationEssentials
import Testing

@Suite struct LoggerTests {
    private func build(_ count: inout Int) -> LogMessage {
        count += 1
        return "built"
    }

    @Test(arguments: LogLevel.allCases)
    func writesTheMinimumLevelAndAboveAndBuildsNothingElse(minimum: LogLevel) {
        let ring = RingSink()
        let logger = Logger(category: "test", minimumLevel: minimum, sink: ring)
        var built = 0
        for level in LogLevel.allCases {
            #expect(logger.isEnabled(level) == (level >= minimum))
            logger.log(level, build(&built))
        }
        let written = LogLevel.allCases.filter { $0 >= minimum }
        #expect(built == written.count)
        #expect(ring.snapshot().map(\.level) == written)
    }

    @Test func namedLevelsWriteTheirLevel() {
        let ring = RingSink()
        let logger = Logger(category: "test", minimumLevel: .trace, sink: ring)
        logger.trace("")
        logger.debug("")
        logger.info("")
        logger.notice("")
        logger.warning("")
        logger.error("")
        logger.critical("")
        #expect(ring.snapshot().map(\.level) == LogLevel.allCases)
    }

    @Test func disabledBuildsNothingEvenAfterDerivation() {
        var built = 0
        for logger in [Logger.disabled, Logger.disabled.with(category: "x").with("k", "v")] {
            for level in LogLevel.allCases {
                logger.log(level, build(&built))
                #expect(!logger.isEnabled(level))
            }
        }
        #expect(built == 0)
    }

    @Test func derivedLoggersCarryCategoryMetadataClockAndSwitch() {
        let ring = RingSink()
        let base = Logger(
            category: "app", sink: ring, metadata: ["run": "1"], revealsPrivate: true,
            now: { Date(timeIntervalSince1970: 1.5) })
        let derived = base.with(category: "speech").with("turn", "\("t1")").with("run", "2")
        derived.info("hello \("ada")")
        base.info("plain")
        let records = ring.snapshot()
        #expect(records.count == 2)
        #expect(records[0].time == Date(timeIntervalSince1970: 1.5))
        #expect(records[0].category == "speech")
        #expect(records[0].message.text == "hello ada")
        #expect(records[0].metadata.mapValues(\.text) == ["run": "2", "turn": "t1"])
        #expect(records[1].metadata.mapValues(\.text) == ["run": "1"])
    }

    @Test func privateTextReachesNoSinkByDefault() {
        let ring = RingSink()
        let logger = Logger(category: "app", sink: ring).with("user", "\("ada")")
        logger.error("no account \("ada")")
        #expect(logger.metadata["user"]?.text == "<private>")
        #expect(ring.snapshot().map(\.message.text) == ["no account <private>"])
        #expect(ring.snapshot()[0].metadata["user"]?.text == "<private>")
    }

    @Test func multiplexWritesToEverySink() {
        let rings = [RingSink(), RingSink()]
        Logger(category: "app", sink: MultiplexSink(rings)).notice("once")
        #expect(rings.map { $0.snapshot().map(\.message.text) } == [["once"], ["once"]])
    }
}

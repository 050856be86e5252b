// SPDX-License-Identifier: MIT
import Testing

/// A short form of `Scripts/soak audio`: seeded faults over streams whose every frame is accounted for.
@Suite struct StreamSoakTests {
    @Test(arguments: [1, 20_261_122]) func theStreamsGoOnAndEveryFrameIsAccountedFor(seed: Int) throws {
        let said = try TestProgram.run(["soak", "\(seed)", "20", "20", "10"])
        #expect(said.contains("well: seed \(seed)"), "\(said)")
    }
}

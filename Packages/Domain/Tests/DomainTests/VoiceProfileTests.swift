// SPDX-License-Identifier: MIT

import Domain
import Testing

@Suite struct VoiceProfileTests {
    @Test func `a profile has the specification's defaults`() throws {
        let profile = try VoiceProfile(name: "anna", engine: "elevenlabs", voice: "21m00Tcm4TlvDq8ikWAM")
        #expect((profile.rate, profile.pitch) == (1, 1))
        #expect((profile.stability, profile.similarity) == (0.75, 0.75))
    }

    @Test(arguments: ["", "none", "two words", "é", "a/b", String(repeating: "a", count: 65), "a\n"])
    func `a name that cannot be typed is refused`(_ name: String) {
        #expect(error { try VoiceProfile(name: name, engine: "flite", voice: "slt") }?.contains("name") == true)
    }

    @Test(arguments: ["", " ", "a\u{1B}[31m", String(repeating: "é", count: 129)])
    func `a voice that cannot be printed is refused`(_ voice: String) {
        #expect(error { try VoiceProfile(name: "a", engine: "flite", voice: voice) }?.contains("voice") == true)
        #expect(error { try VoiceProfile(name: "a", engine: voice, voice: "slt") }?.contains("engine") == true)
    }

    @Test func `values outside their ranges are refused by name`() throws {
        for (rate, pitch) in [(0.5, 2.0), (2.0, 0.5)] {
            _ = try VoiceProfile(
                name: "a", engine: "e", voice: "v", rate: rate, pitch: pitch, stability: 0, similarity: 1)
        }
        for value in [-1, 0.49, 2.01, .nan, .infinity, -.infinity] as [Double] {
            #expect(
                error { try VoiceProfile(name: "a", engine: "e", voice: "v", rate: value) }?.contains("rate") == true)
            #expect(
                error { try VoiceProfile(name: "a", engine: "e", voice: "v", pitch: value) }?.contains("pitch") == true)
        }
        for value in [-0.01, 1.01, .nan] as [Double] {
            #expect(
                error { try VoiceProfile(name: "a", engine: "e", voice: "v", stability: value) }?
                    .contains("stability") == true)
            #expect(
                error { try VoiceProfile(name: "a", engine: "e", voice: "v", similarity: value) }?
                    .contains("similarity") == true)
        }
    }

    private func error(_ body: () throws -> VoiceProfile) -> String? {
        do { _ = try body() } catch let error as DomainError where error.code == "invalidInput" {
            return error.detail
        } catch {}
        return nil
    }
}

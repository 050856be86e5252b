// SPDX-License-Identifier: MIT
import AudioKitLinuxTestSupport
import Testing

@testable import AudioKitLinux

@Suite struct PlaybackAnnouncerTests {
    private let start = ContinuousClock.now
    private var announcer = PlaybackAnnouncer(format: .speech)

    private func place(_ heard: Int, _ written: Int, run: Int = 0, at milliseconds: Int) -> PlaybackAnnouncer.Place {
        PlaybackAnnouncer.Place(
            heard: heard, written: written, run: run, instant: start + .milliseconds(milliseconds))
    }

    /// What was told, in words: frames with the instant of the first one in milliseconds, or a stop.
    private func told(_ news: [PlaybackAnnouncement]) -> [String] {
        news.map { announcement in
            switch announcement {
            case .playing(let piece):
                let end = piece.position + piece.buffer.frameCount
                #expect(difference(piece.buffer.samples, (piece.position..<end).map(Float.init)) == nil)
                return "\(piece.position)..<\(end) at \(start.duration(to: piece.audibleAt) / .milliseconds(1))"
            case .flushed(let instant): return "stop at \(start.duration(to: instant) / .milliseconds(1))"
            }
        }
    }

    private func sound(_ frames: Range<Int>) -> [Float] { frames.map(Float.init) }

    @Test mutating func piecesAreToldOnceWithTheirInstants() {
        announcer.took(sound(0..<320), at: 0)
        announcer.took(sound(320..<640), at: 320)
        #expect(told(announcer.takeNews()).isEmpty)
        announcer.advanced(to: place(0, 480, at: 100), rate: 16_000)
        #expect(told(announcer.takeNews()) == ["0..<320 at 100.0", "320..<480 at 120.0"])
        announcer.advanced(to: place(160, 480, at: 110), rate: 16_000)
        announcer.advanced(to: place(160, 640, at: 110), rate: 16_000)
        #expect(told(announcer.takeNews()) == ["480..<640 at 130.0"])
    }

    @Test mutating func aDeviceThatPlaysAgainIsToldAgain() {
        announcer.took(sound(0..<640), at: 0)
        announcer.advanced(to: place(0, 640, at: 0), rate: 16_000)
        announcer.stopped(at: 160, start + .milliseconds(15))
        announcer.advanced(to: place(160, 480, run: 160, at: 500), rate: 16_000)
        #expect(told(announcer.takeNews()) == ["0..<640 at 0.0", "stop at 15.0", "160..<480 at 500.0"])
        // Also when nothing told of the stop.
        announcer.advanced(to: place(320, 640, run: 320, at: 900), rate: 16_000)
        #expect(told(announcer.takeNews()) == ["stop at 900.0", "320..<640 at 900.0"])
    }

    @Test mutating func whatIsFlushedIsNotTold() {
        announcer.took(sound(0..<640), at: 0)
        announcer.advanced(to: place(0, 320, at: 0), rate: 16_000)
        announcer.dropped(upTo: 1_000, silentAt: start + .milliseconds(7))
        announcer.took(sound(1_000..<1_100), at: 1_000)
        announcer.advanced(to: place(1_000, 1_100, run: 1_000, at: 50), rate: 16_000)
        #expect(told(announcer.takeNews()) == ["0..<320 at 0.0", "stop at 7.0", "1000..<1100 at 50.0"])
    }

    @Test func nobodyTakesForLong() {
        let announcements = PlaybackAnnouncements(limit: 3)
        for count in 0..<5 { announcements.add([.flushed(at: start + .milliseconds(count))]) }
        #expect(told(announcements.take()) == ["stop at 2.0", "stop at 3.0", "stop at 4.0"])
        #expect(announcements.dropped == 2 && announcements.take().isEmpty)
    }
}

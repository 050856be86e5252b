// SPDX-License-Identifier: MIT

import AudioKitLinuxTestSupport
import Foundation
import TestKit
import Testing

@testable import AudioKitLinux

/// The parsers over texts as kernels print them, and the walks over a tree of such texts.
@Suite struct KernelSoundTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func cardsAreRead() {
        let text = """
             0 [PCH            ]: HDA-Intel - HDA Intel PCH
                                  HDA Intel PCH at 0xf7f10000 irq 31
             1 [Snowball       ]: USB-Audio - Blue Snowball
                                  BLUE MICROPHONE Blue Snowball at usb-0000:00:14.0-2, full speed
            12 [Loopback       ]: Loopback - Loopback
                                  Loopback 1
            """
        #expect(
            KernelSound.cards(text) == [
                .init(number: 0, id: "PCH", name: "HDA Intel PCH"),
                .init(number: 1, id: "Snowball", name: "Blue Snowball"),
                .init(number: 12, id: "Loopback", name: "Loopback"),
            ])
        #expect(KernelSound.cards("--- no soundcards ---\n").isEmpty)
        #expect(KernelSound.cards(" x [ ]: \n[]\n ] 0 [\n").isEmpty)
    }

    @Test func ownersAreRead() {
        #expect(KernelSound.owner("closed\n") == nil)
        #expect(
            KernelSound.owner("state: RUNNING\nowner_pid   : 4321\ntrigger_time: 93.36\ntstamp      : 0.0\n") == 4_321)
        #expect(KernelSound.owner("owner_pid   : \n") == nil)
    }

    @Test func namesLeadToCards() {
        func card(_ name: String) -> String {
            KernelSound.card(ofName: name).map { "\($0.card) \($0.device.map(String.init) ?? "-")" } ?? "none"
        }
        #expect(card("hw:0,3") == "0 3")
        #expect(card("plughw:CARD=PCH,DEV=0") == "PCH 0")
        #expect(card("sysdefault:CARD=PCH") == "PCH -")
        #expect(card("hw:PCH") == "PCH -")
        #expect(card("default") == "none")
        #expect(card("pulse:alsa_output.pci-0000_00_1f.3") == "none")
        #expect(card("hw:") == "none")
    }

    @Test func nodesAreUnderstood() {
        #expect(KernelSound.node("/dev/snd/pcmC1D12c").map { [$0.card, $0.device] } == [1, 12])
        #expect(KernelSound.node("/dev/snd/pcmC1D12c")?.letter == "c")
        for path in ["/dev/snd/controlC0", "/dev/snd/pcmC0", "/dev/snd/pcmCxDyp", "/dev/null", ""] {
            #expect(KernelSound.node(path) == nil, "\(path)")
        }
    }

    @Test func whoHoldsADeviceIsFound() throws {
        try put("/proc/asound/card0/pcm0p/sub0/status", "state: RUNNING\nowner_pid   : 77\n")
        try put("/proc/asound/card0/pcm0c/sub0/status", "closed\n")
        try put("/proc/asound/card1/pcm3p/sub0/status", "state: RUNNING\nowner_pid   : 78\n")
        try put("/proc/77/comm", "firefox\n")
        try put("/proc/78/comm", "mpv\n")
        try put("/proc/90/comm", "arecord\n")
        try put("/proc/self/comm", "no number\n")
        try link("/proc/90/fd/4", to: "/dev/snd/pcmC0D0c")
        try link("/proc/90/fd/5", to: "/dev/null")
        // A thread of the same stream, and one whose process has gone.
        try link("/proc/77/fd/9", to: "/dev/snd/pcmC0D0p")
        try link("/proc/91/fd/1", to: "/dev/snd/pcmC0D0p")
        let files = SystemFiles(root: folder.path)
        func holders(_ card: Int?, _ device: Int?, _ direction: AudioDirection) -> [String] {
            KernelSound.holders(files, card: card, device: device, direction).map { "\($0.process) \($0.name)" }
        }
        #expect(holders(0, 0, .playback) == ["77 firefox", "91 ?"])
        #expect(holders(0, nil, .capture) == ["90 arecord"])
        #expect(holders(1, 0, .playback).isEmpty)
        #expect(holders(nil, nil, .playback) == ["77 firefox", "78 mpv", "91 ?"])
    }

    @Test func forbiddenNodesAreSeen() throws {
        let files = SystemFiles(root: folder.path)
        #expect(files.cardNodes() == .none)
        try put("/dev/snd/controlC0", "")
        try put("/dev/snd/seq", "")
        #expect(files.cardNodes() == .usable)
        #expect(files.cardNodes(card: 1) == .none)
        try #require(chmod(folder.path + "/dev/snd/controlC0", 0) == 0)
        // Root may open everything: this thread's file access becomes nobody's for a moment. No suspension in between.
        typealias SetFileUser = @convention(c) (UInt32) -> Int32
        let setFileUser = unsafeBitCast(try #require(dlsym(dlopen(nil, RTLD_NOW), "setfsuid")), to: SetFileUser.self)
        let isRoot = getuid() == 0
        try #require(chmod(folder.path, 0o755) == 0)
        if isRoot { _ = setFileUser(65_534) }
        defer { if isRoot { _ = setFileUser(0) } }
        #expect(files.cardNodes() == .forbidden)
    }

    private func put(_ path: String, _ text: String) throws {
        let url = URL(fileURLWithPath: folder.path + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func link(_ path: String, to target: String) throws {
        let url = URL(fileURLWithPath: folder.path + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try #require(symlink(target, url.path) == 0)
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import Networking

@Suite("Reachability")
struct ReachabilityTests {
    /// A message as the kernel lays it out on a little-endian machine.
    private func message(_ type: UInt16, _ body: [UInt8], _ attributes: [(UInt16, [UInt8])] = []) -> [UInt8] {
        var all = body
        for (type, value) in attributes {
            all += word16(UInt16(4 + value.count)) + word16(type) + value
            while all.count % 4 != 0 { all.append(0) }
        }
        return word32(UInt32(16 + all.count)) + word16(type) + word16(0) + word32(1) + word32(0) + all
    }

    private func word16(_ value: UInt16) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
    private func word32(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

    private func link(_ index: UInt32, _ name: String, flags: UInt32) -> [UInt8] {
        message(16, [0, 0, 1, 0] + word32(index) + word32(flags) + word32(0), [(3, Array(name.utf8) + [0])])
    }

    private func route(
        _ type: UInt16 = 24, family: UInt8 = 2, length: UInt8 = 0, table: UInt8 = 254, interface: UInt32
    ) -> [UInt8] {
        message(type, [family, length, 0, 0, table, 3, 0, 1, 0, 0, 0, 0], [(4, word32(interface)), (6, word32(100))])
    }

    private func parse(_ bytes: [UInt8]) -> [NetlinkMessage] { bytes.withUnsafeBytes { NetlinkMessage.parse($0) } }

    private func state(_ messages: [[UInt8]]) -> NetworkState {
        var machine = ReachabilityStateMachine()
        for message in parse(messages.flatMap { $0 }) { machine.apply(message) }
        return machine.state
    }

    private let up: UInt32 = 0x1 | 0x40

    /// Taken from a Debian 12 kernel: the dump's entry of `lo`, cut at its first attributes.
    @Test func `a captured message is read`() {
        let captured: [UInt8] = [
            0x40, 0, 0, 0, 0x10, 0, 2, 0, 1, 0, 0, 0, 0, 0xC2, 0x59, 0, 0, 0, 4, 3, 1, 0, 0, 0, 0x49, 0, 1, 0, 0, 0, 0,
            0,
            7, 0, 3, 0, 0x6C, 0x6F, 0, 0, 8, 0, 0x0D, 0, 0xE8, 3, 0, 0, 5, 0, 0x10, 0, 0, 0, 0, 0, 5, 0, 0x11, 0, 0, 0,
            0, 0,
        ]
        #expect(parse(captured) == [.link(index: 1, name: "lo", isUp: true, isUsable: false)])
        // Cut anywhere, it is no message, and nothing is read beyond the end.
        for count in 0..<captured.count { #expect(parse(Array(captured[..<count])).isEmpty) }
    }

    @Test func `a default route through a live interface is a way out`() {
        let eth = link(2, "eth0", flags: up)
        #expect(state([eth, route(interface: 2)]) == NetworkState(hasIPv4: true, hasIPv6: false, interfaces: ["eth0"]))
        #expect(state([eth, route(family: 10, interface: 2)]).hasIPv6)
        #expect(!state([eth]).isReachable)
        #expect(!state([route(interface: 2)]).isReachable)
        #expect(!state([link(2, "eth0", flags: 0x1), route(interface: 2)]).isReachable)
        #expect(!state([link(1, "lo", flags: up | 0x8), route(interface: 1)]).isReachable)
        #expect(!state([eth, route(length: 24, interface: 2)]).isReachable)
        #expect(!state([eth, route(table: 255, interface: 2)]).isReachable)
    }

    @Test func `it goes with the route, the carrier or the interface`() {
        let eth = link(2, "eth0", flags: up)
        let wlan = link(3, "wlan0", flags: up)
        #expect(!state([eth, route(interface: 2), route(25, interface: 2)]).isReachable)
        #expect(!state([eth, route(interface: 2), link(2, "eth0", flags: 0x1)]).isReachable)
        // Without carrier the route stays, and leads out again when the carrier is back; after a down it does not.
        #expect(state([eth, route(interface: 2), link(2, "eth0", flags: 0x1), eth]).isReachable)
        #expect(!state([eth, route(interface: 2), link(2, "eth0", flags: 0), eth]).isReachable)
        #expect(
            !state([eth, route(interface: 2), message(17, [0, 0, 0, 0] + word32(2) + word32(0) + word32(0))])
                .isReachable)
        let both = [eth, wlan, route(interface: 2), route(interface: 3)]
        #expect(state(both).interfaces == ["eth0", "wlan0"])
        #expect(state(both + [route(25, interface: 2)]).interfaces == ["wlan0"])
    }

    @Test func `random bytes are never worse than nothing`() {
        var random = SeededGenerator(seed: 3549)
        let sample = link(2, "eth0", flags: up) + route(interface: 2) + route(family: 10, interface: 3)
        for _ in 0..<20_000 {
            var bytes = sample
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            bytes.removeLast(Int.random(in: 0...20, using: &random))
            #expect(parse(bytes).count <= bytes.count / 16, "seed 3549")
        }
    }

    @Test func `the kernel tells the state, and cancelling ends the wait`() async throws {
        var states = Reachability().makeAsyncIterator()
        let first = try #require(try await states.next())
        // The kernel's own table, read another way: a default route has destination and mask zero.
        let table = try String(contentsOfFile: "/proc/net/route", encoding: .utf8)
        let defaults = table.split(separator: "\n").dropFirst().filter { line in
            let words = line.split(separator: "\t")
            return words.count > 7 && words[1] == "00000000" && words[7] == "00000000"
        }
        #expect(first.hasIPv4 == !defaults.isEmpty)
        let waiting = Task {
            for try await _ in Reachability() {}
        }
        waiting.cancel()
        _ = await waiting.result
    }

    private static let variable = "NETWORKING_REACHABILITY"

    @Test(.enabled(if: TestNamespace.isPermitted, TestNamespace.hint), .timeLimit(.minutes(5)))
    func `the kernel's changes come in order`() async throws {
        try await TestNamespace.runTest("changesOfAnInterface", environment: [Self.variable: "1"])
    }

    /// Changes the network of the namespace that the test above makes, and waits for what is told of each step.
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment[variable] != nil, "it is a part of the test above"),
        .timeLimit(.minutes(5)))
    func changesOfAnInterface() async throws {
        var states = Reachability().makeAsyncIterator()
        let none = NetworkState(hasIPv4: false, hasIPv6: false, interfaces: [])
        let folder = try TemporaryFolder()
        func run(_ commands: String) throws { try runCommand("/bin/sh", ["-ec", commands], in: folder.path) }
        #expect(try await states.next() == none)

        // Two ends of one cable. Links and addresses alone are no way out, and nothing is told of them.
        try run("ip link add near type veth peer name far; ip link set near up; ip link set far up")
        try run("ip address add 10.1.0.1/24 dev near; ip route add default via 10.1.0.2")
        #expect(try await states.next() == NetworkState(hasIPv4: true, hasIPv6: false, interfaces: ["near"]))
        try run("ip -6 route add default dev near")
        #expect(try await states.next() == NetworkState(hasIPv4: true, hasIPv6: true, interfaces: ["near"]))
        try run("ip route delete default")
        #expect(try await states.next() == NetworkState(hasIPv4: false, hasIPv6: true, interfaces: ["near"]))
        try run("ip -6 route delete default; ip route add default via 10.1.0.2")
        // Whether the state between the two is seen depends on when the consumer comes.
        var state = try await states.next()
        if state == none { state = try await states.next() }
        #expect(state == NetworkState(hasIPv4: true, hasIPv6: false, interfaces: ["near"]))
        // The other end goes down: carrier is lost, the route stays.
        try run("ip link set far down")
        #expect(try await states.next() == none)
        try run("ip link set far up")
        #expect(try await states.next() == NetworkState(hasIPv4: true, hasIPv6: false, interfaces: ["near"]))
        try run("ip link set near down")
        #expect(try await states.next() == none)
        // The kernel has dropped the route, so that the interface alone is not enough.
        try run("ip link set near up; ip route add default via 10.1.0.2; ip link add other type veth peer name more")
        #expect(try await states.next() == NetworkState(hasIPv4: true, hasIPv6: false, interfaces: ["near"]))
        try run("ip link delete near")
        #expect(try await states.next() == none)
        #expect(try await Self.first() == none)
    }

    /// What a new listener is told.
    private static func first() async throws -> NetworkState? {
        var states = Reachability().makeAsyncIterator()
        return try await states.next()
    }
}

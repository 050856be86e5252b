// SPDX-License-Identifier: MIT

import Foundation
import Networking
import TestKit
import Testing

/// The server as a process of its own, ended by SIGKILL while links are being used.
@Suite(.timeLimit(.minutes(5))) struct KilledServerTests {
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    /// Of sixty links that are used while the server is killed at some moment, none that signed somebody in can be used again,
    /// and none that can be used has signed anybody in.
    @Test func aLinkIsEitherUsedOrUsable() async throws {
        let home = try TemporaryFolder()
        var (used, usable) = (0, 0)
        for round in 0..<12 {
            var client = try ServerFixture.makeClient()
            var server = try ServerProcess(home: home.path, ["--proxies", "1"])
            let links = try await askForLinks(5, round: round, server, client)
            // After so many answers the others are on their way: not sent, being written, written and not answered.
            let before = round % links.count
            let answers = await withTaskGroup(of: (String, Bool).self) { [client] group in
                for link in links {
                    group.addTask { [address = server.address] in (link, await status(link, address, client) == 200) }
                }
                var answers: [String: Bool] = [:]
                while answers.count < before, let (link, wasAccepted) = await group.next() {
                    answers[link] = wasAccepted
                }
                server.kill()
                return await group.reduce(into: answers) { $0[$1.0] = $1.1 }
            }
            server = try ServerProcess(home: home.path, ["--proxies", "1"])
            // It may have the port of the one before, to which the old client has connections that are dead.
            client = try ServerFixture.makeClient()
            for (link, wasAccepted) in answers {
                let statuses = [
                    await status(link, server.address, client), await status(link, server.address, client),
                ]
                #expect(statuses == [200, 403] || statuses == [403, 403], "round \(round): \(statuses)")
                let isUsable = statuses[0] == 200
                #expect(!(wasAccepted && isUsable), "round \(round): a link signed in twice")
                if wasAccepted { used += 1 }
                if isUsable { usable += 1 }
            }
            server.kill()
        }
        // Else the kills came all too early or too late to show anything.
        #expect(used > 0 && usable > 0, "\(used) used, \(usable) usable")
    }

    private func askForLinks(
        _ count: Int, round: Int, _ server: ServerProcess, _ client: CurlTransport
    ) async throws -> [String] {
        let folder = server.home + "/mail/new"
        let before = try Set(FileManager.default.contentsOfDirectory(atPath: folder))
        for number in 0..<count {
            let body = try JSONEncoder().encode(["email": "user\(number).\(round)@example.org"])
            let url = try #require(URL(string: server.address + "/otp"))
            let response = try await client.send(
                HTTPRequest(.post, url, headers: headers("\(round).\(number)"), body: .bytes([UInt8](body))))
            try #require(response.status == 200)
        }
        var new: Set<String> = []
        try await eventually("\(count) mails arrive") {
            new = try Set(FileManager.default.contentsOfDirectory(atPath: folder)).subtracting(before)
            return new.count == count
        }
        return try new.map { name in
            let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
            return String(try #require(text.firstMatch(of: /token=([A-Za-z0-9_-]{43})&/)?.output.1))
        }
    }
}

/// What the server answers to a link; nil when it does not.
private func status(_ link: String, _ address: String, _ client: CurlTransport) async -> Int? {
    guard let url = URL(string: address + "/verify"),
        let body = try? JSONEncoder().encode(["type": "magiclink", "token_hash": link])
    else { return nil }
    let number = link.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
    let request = HTTPRequest(
        .post, url, headers: headers("\(number >> 8).\(number & 0xFF)"), body: .bytes([UInt8](body)))
    return try? await client.send(request).status
}

/// From a network of its own, so that the limits of one network do not count.
private func headers(_ network: String) -> HTTPHeaders {
    ["Content-Type": "application/json", "X-Forwarded-For": "10.\(network).1"]
}

// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Looking writes nothing: what a command makes, it makes when there is something to keep.
@Suite struct EmptyHomeTests {
    @Test(arguments: [
        "--help", "--version", "help flags", "ask --no-history capital of Texas", "history", "history search Texas",
        "history delete --all --yes", "history repair", "map Texas", "chat --offline --no-history capital of Texas",
        "practice repair", "cues list", "cues list --json", "cues list --search thanks --shuffle 7", "cues next",
        "progress", "progress --list", "progress delete 12345678", "recordings list", "recordings play 12345678",
        "recordings export 12345678 x.wav", "recordings delete 12345678", "recordings recover 12345678",
        "recordings limit", "cache limit", "cache clear",
        "crash list", "crash show", "crash delete --all", "stats", "stats --openmetrics", "uploads list",
        "uploads send", "uploads retry 1",
        "uploads discard 1", "devices",
        "verify 123456", "whoami", "sessions list", "sessions revoke --others", "sign-out", "consent show", "privacy",
        "secrets list", "secrets list --store file", "secrets get elevenlabs --store file",
        "secrets delete elevenlabs --store file", "secrets unlock", "trust list", "trust remove example.org",
        "mcp list", "mcp disable server", "mcp enable server", "mcp remove server", "mcp tools", "mcp call server tool",
        "mcp test server", "settings list", "settings list --json", "settings get voice", "settings unset voice",
        "assistant list", "assistant show", "assistant use states", "assistant use home", "assistant remove home",
        "prompts list", "prompts show brief", "prompts use none", "prompts remove brief", "models",
        "say hello --device x",
        "timers list", "timers cancel --all", "timers cancel 12345678", "timers ring", "approve", "flags",
        "flags --json", "doctor",
        "completion bash",
    ])
    func `a command that only looks leaves the home empty`(_ line: String) async throws {
        let parley = try ParleyProcess()
        let result = try await parley.start(line.split(separator: " ").map(String.init)).finished()
        #expect([0, 2, 3, 4, 5, 6].contains(result.code), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: parley.path("home")))
        // The libraries of sound and of keyrings keep things of their own.
        let made = FileManager.default.subpaths(atPath: parley.folder) ?? []
        #expect(made.filter { !$0.hasPrefix(".config") && !$0.hasPrefix(".cache") } == [])
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@Suite struct UsageTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    @Test func helpIsOnStandardOutput() async throws {
        for arguments in [["--help"], ["help"], ["help", "talk"], ["talk", "-h"], ["--version"], []] {
            let run = try parley.start(arguments)
            let result = await run.finished()
            #expect(result.code == 0)
            #expect(!result.output.isEmpty && result.errors.isEmpty)
        }
    }

    @Test(arguments: [
        (["aks"], "Did you mean ask?"), (["ask", "--jsno", "x"], "Did you mean --json?"),
        (["talk", "--input"], "needs a value"), (["say"], "TEXT is missing"),
        (["history", "--limit", "many"], "whole number"), (["completion", "tcsh"], "bash, zsh, fish"),
        (["map", "Freedonia"], "There is no US state"), (["devices", "x"], "one argument too many"),
        (["--json"], "Name a command first"),
        (["mcp", "tols"], "Did you mean tools?"), (["recordings", "play", "x"], "parley recordings list"),
        (["progress", "delete", "x"], "parley progress --list"),
    ])
    func usageErrorsSayWhatToDo(_ arguments: [String], _ message: String) async throws {
        let run = try parley.start(arguments)
        let result = await run.finished()
        #expect(result.code == 2)
        #expect((result.errors + result.output).contains(message), "\(result.errors)")
    }

    @Test(arguments: [
        "mcp", "secrets", "audio", "net", "sessions", "cues", "recordings", "uploads", "data", "sync recovery",
    ])
    func `a group lists its commands`(_ group: String) async throws {
        let words = group.split(separator: " ").map(String.init)
        for arguments in [words, words + ["--help"], ["help"] + words] {
            let result = try await parley.start(arguments).finished()
            #expect(result.code == 0 && result.errors.isEmpty, "\(arguments): \(result.errors)")
            #expect(result.output.contains("Usage: parley \(group) COMMAND") && result.output.contains("\n  \(group) "))
        }
    }

    @Test func anErrorInJSONIsOneObject() async throws {
        let result = try await parley.run("history", "--limit", "0", "--json")
        #expect(result.code == 2)
        #expect((result.events.first?["error"] as? [String: Any])?["code"] as? String == "usage")
        #expect(result.errors.isEmpty)
    }

    @Test(arguments: ["bash", "zsh"])
    func completionScriptsAreValid(_ shell: String) async throws {
        let script = try await parley.run("completion", shell)
        #expect(script.code == 0 && script.output.contains("transcribe"))
        guard shell == "bash" else { return }
        try script.output.write(toFile: parley.path("completion"), atomically: true, encoding: .utf8)
        let check = try ParleyProcess.start(
            [
                "/bin/bash", "-c",
                """
                . "$0" && COMP_WORDS=(parley tr) COMP_CWORD=1 && _parley && echo "${COMPREPLY[@]}"
                COMP_WORDS=(parley talk --in) COMP_CWORD=2 && _parley && echo "${COMPREPLY[@]}"
                COMP_WORDS=(parley sess) COMP_CWORD=1 && _parley && echo "${COMPREPLY[@]}"
                COMP_WORDS=(parley sessions rev) COMP_CWORD=2; _parley; echo "${COMPREPLY[@]}"
                COMP_WORDS=(parley say --voice k) COMP_CWORD=3; _parley; echo "${COMPREPLY[@]}"
                COMP_WORDS=(parley say --language pt-) COMP_CWORD=3; _parley; echo "${COMPREPLY[@]}"
                COMP_WORDS=(parley map Te) COMP_CWORD=2; _parley; echo "${COMPREPLY[@]}"
                COMP_WORDS=(parley map 'New\\ Y') COMP_CWORD=2; _parley; echo "${COMPREPLY[0]}"
                COMP_WORDS=(parley ask '') COMP_CWORD=2; _parley; echo "${COMPREPLY[*]}" | grep -c completion
                COMP_WORDS=(parley transcribe comp) COMP_CWORD=2; _parley; echo "${COMPREPLY[@]}"
                COMP_WORDS=(parley sync re) COMP_CWORD=2; _parley; echo "${COMPREPLY[@]}"
                COMP_WORDS=(parley sync recovery '') COMP_CWORD=3; _parley; echo "${COMPREPLY[@]}"
                COMP_WORDS=(parley settings set th) COMP_CWORD=3; _parley; echo "${COMPREPLY[@]}"
                COMP_WORDS=(parley settings set voice k) COMP_CWORD=4; _parley; echo "${COMPREPLY[@]}"
                COMP_WORDS=(parley sync now --f) COMP_CWORD=3; _parley; echo "${#COMPREPLY[@]}"
                for option in 'chat --attach' 'conversations resume --attach' 'conversations export -o' \
                    'context allow --calendar' 'sync join --folder' 'sync setup --key'; do
                  COMP_WORDS=(parley $option comp) COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _parley; echo "${COMPREPLY[@]}"
                done
                """, parley.path("completion"),
            ], environment: ["PATH": "/usr/bin:/bin"], folder: parley.folder)
        #expect(
            await check.finished().output == """
                transcribe trust trace
                --input
                sessions
                revoke
                kal16
                pt-br
                Tennessee Texas
                New York
                0
                completion
                revoke recovery resume
                show use
                theme
                kal16
                0
                \(Array(repeating: "completion", count: 6).joined(separator: "\n"))

                """)
    }

    @Test func aFullOutputIsAnError() async throws {
        let run = try ParleyProcess.start(
            ["/bin/sh", "-c", "\"$0\" --version > /dev/full", ParleyProcess.executable],
            environment: ["PATH": "/usr/bin:/bin"])
        let result = await run.finished()
        #expect(result.code == 6)
        #expect(result.errors.contains("cannot be written"))
    }

    @Test func aReaderThatLeavesIsNoError() async throws {
        let run = try ParleyProcess.start(
            ["/bin/bash", "-c", "\"$0\" --help | true; exit ${PIPESTATUS[0]}", ParleyProcess.executable],
            environment: ["PATH": "/usr/bin:/bin"])
        let result = await run.finished()
        #expect(result.code == 0)
        #expect(result.errors.isEmpty)
    }

    @Test func unreadableStateIsAnErrorAndNotACrash() async throws {
        let result = try await parley.run("history", environment: ["PARLEY_HOME": "/dev/null/nowhere"])
        #expect(result.code == 6)
        #expect(result.errors.contains("/dev/null/nowhere"))
    }
}

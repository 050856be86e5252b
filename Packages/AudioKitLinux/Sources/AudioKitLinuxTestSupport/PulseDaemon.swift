// SPDX-License-Identifier: MIT
public import AudioKitLinux
import Foundation
import TestKit
import Testing

/// A separate PulseAudio daemon for a test, with one loudspeaker without an output (`loop`) and its monitor as the
/// microphone. It has its own folder, so the user's files are not touched.
public final class PulseDaemon {
    /// The format of its loudspeaker.
    public static let format = AudioFormat(sampleRate: 48_000, channels: 2)
    /// The loudspeaker's name at the daemon.
    public static let loudspeaker = "loop"
    /// The name of the loudspeaker's monitor.
    public static let monitor = "loop.monitor"
    /// The path of the program on Debian.
    public static let program = "/usr/bin/pulseaudio"
    /// Evaluated before the first test runs, which is also the time to keep libpulse from the user's own files: this
    /// server accepts any client, but the library would make a cookie in the user's home. Real hardware may be behind a
    /// server that needs the user's cookie.
    public static let isInstalled: Bool = {
        let environment = ProcessInfo.processInfo.environment
        if environment["PULSE_COOKIE"] == nil, environment["PARLEY_TEST_DEVICE"] == nil {
            let cookie = NSTemporaryDirectory() + "/audiokit-test-cookie"
            try? Data(count: 256).write(to: URL(fileURLWithPath: cookie))
            setenv("PULSE_COOKIE", cookie, 1)
        }
        return FileManager.default.isExecutableFile(atPath: program)
            && FileManager.default.isExecutableFile(atPath: pactl)
    }()

    private static let pactl = "/usr/bin/pactl"
    private let folder: TemporaryFolder
    /// The shell around the daemon.
    private var daemon: ChildProcess?
    private var socket: String { folder.file("socket") }
    private var environment: [String: String] {
        ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "PATH": "/usr/bin:/bin"]
    }

    /// Starts a daemon in its own folder, and waits until it answers.
    public init() async throws {
        folder = try TemporaryFolder()
        chmod(folder.path, 0o700)
        try await start()
    }

    deinit { kill() }

    /// The loudspeaker.
    public var playback: AudioDevice { device(Self.loudspeaker) }
    /// The monitor of the loudspeaker.
    public var capture: AudioDevice { device(Self.monitor) }

    private func device(_ name: String) -> AudioDevice {
        let mixer = #"ctl.server { type pulse server "unix:\#(socket)" sink "\#(Self.loudspeaker)" }"#
        return .alsa("server", configuration: "pcm.server \(definition(of: name))\n\(mixer)")
    }

    /// The volume of the loudspeaker as the daemon tells it: percent, and true if it is muted.
    public func volume() async throws -> (percent: Int, isMuted: Bool) {
        func answer(_ verb: String) async throws -> String {
            let pactl = try ChildProcess(
                Self.pactl, [verb, Self.loudspeaker],
                environment: .only(environment.merging(["PULSE_SERVER": address, "LC_ALL": "C"]) { $1 }),
                errors: .discarded)
            return await pactl.finished().output
        }
        let volume = try await answer("get-sink-volume")
        let percent = try #require(volume.split(separator: " ").first { $0.hasSuffix("%") })
        return (try #require(Int(percent.dropLast())), try await answer("get-sink-mute").contains("yes"))
    }

    /// A PCM definition of ALSA's configuration for one of the daemon's devices.
    public func definition(of name: String) -> String {
        #"{ type pulse server "unix:\#(socket)" device "\#(name)" }"#
    }

    /// Starts the daemon again after `kill()`, and waits until it answers.
    public func start() async throws {
        unlink(socket)
        let options =
            "-n --daemonize=no --exit-idle-time=-1 --use-pid-file=no --disable-shm=yes --realtime=no --high-priority=no"
        let modules = [
            "module-native-protocol-unix socket=\(socket) auth-anonymous=1",
            "module-null-sink sink_name=loop format=s16le rate=48000 channels=2",
            // A client that always plays silence keeps the loudspeaker awake: an idle one takes two seconds to start.
            "module-null-sink sink_name=other format=s16le rate=48000 channels=2",
            "module-loopback source=other.monitor sink=loop latency_msec=20",
        ].map { "-L '\($0)'" }.joined(separator: " ")
        // The pipe ends with this process, in whatever way that does, and the daemon with it.
        let daemon = try ChildProcess(
            "sh", ["-c", "\(Self.program) \(options) \(modules) & read line; kill -9 $!; wait"],
            environment: .only(environment), input: .pipe, output: .discarded, errors: .discarded)
        self.daemon = daemon
        // It listens last, when its modules are loaded.
        try await eventually("pulseaudio listens") {
            try #require(daemon.isRunning, "pulseaudio ended by itself")
            return control("info")
        }
    }

    /// Ends the daemon without warning.
    public func kill() {
        daemon?.closeInput()
        daemon?.wait()
        daemon = nil
    }

    /// Suspends the loudspeaker, or resumes it.
    public func suspend(_ isSuspended: Bool) { _ = control("suspend-sink", "loop", isSuspended ? "1" : "0") }

    /// Its address, the value of `PULSE_SERVER` for its clients.
    public var address: String { "unix:\(socket)" }

    /// Makes another microphone the default one.
    public func setDefaultMicrophone(_ name: String) { _ = control("set-default-source", name) }

    /// Runs `pactl` with `words`; returns true if it succeeded.
    @discardableResult
    private func control(_ words: String...) -> Bool {
        let pactl = try? ChildProcess(
            Self.pactl, words, environment: .only(environment.merging(["PULSE_SERVER": address]) { $1 }),
            output: .discarded, errors: .discarded)
        return pactl?.wait() == .exited(0)
    }
}

// SPDX-License-Identifier: MIT
internal import Glibc

/// The sound server of this session: PulseAudio, or PipeWire in its place.
enum SoundServer {
    /// The path of the server's socket if a server listens on it; nil without a server. Servers over the network
    /// (`PULSE_SERVER` with an address) are assumed to run.
    static func find() -> String? {
        let variable = getenv("PULSE_SERVER").map { String(cString: $0) }
        let folder = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
        return candidates(server: variable, runtimeFolder: folder).first { !$0.hasPrefix("/") || isListening($0) }
    }

    /// Possible paths of the server's socket, best first.
    static func candidates(server: String?, runtimeFolder: String?) -> [String] {
        if let server, !server.isEmpty {
            // "unix:/path" or "/path", perhaps after "{machine}"; several are separated by blanks.
            return server.split(separator: " ").map { word in
                let address = word.split(separator: "}").last ?? word
                return String(address.hasPrefix("unix:") ? address.dropFirst(5) : address)
            }
        }
        let own = runtimeFolder.map { ["\($0)/pulse/native"] } ?? []
        return own + ["/run/pulse/native", "/var/run/pulse/native"]
    }

    /// The server's loudspeakers and microphones; empty without a server or without `pactl`.
    static func devices() -> [AudioDeviceInfo] {
        guard find() != nil else { return [] }
        return [("sinks", AudioDirection.playback), ("sources", .capture)].flatMap { what, direction in
            guard let text = ChildOutput.run("pactl", ["list", what]) else { return [AudioDeviceInfo]() }
            return parse(text, direction)
        }
    }

    /// The name of the server's default microphone, as `pactl list sources` has it.
    static func defaultMicrophone() -> String? {
        guard find() != nil else { return nil }
        return ChildOutput.run("pactl", ["get-default-source"])?.split(separator: "\n").first.map(String.init)
    }

    /// Reads the output of `pactl list sinks` or `pactl list sources` in the C locale. A monitor of a loudspeaker is
    /// not a microphone.
    static func parse(_ text: String, _ direction: AudioDirection) -> [AudioDeviceInfo] {
        var devices: [AudioDeviceInfo] = []
        var name: String?
        for line in text.split(separator: "\n") {
            let words = line.drop { $0 == " " || $0 == "\t" }
            // Only the properties of the entry itself are one tab in.
            guard line.hasPrefix("\t"), !line.dropFirst().hasPrefix("\t") else {
                if !line.hasPrefix("\t") { name = nil }
                continue
            }
            if words.hasPrefix("Name: ") {
                name = String(words.dropFirst(6))
            } else if words.hasPrefix("Description: "), let found = name, !found.hasSuffix(".monitor") {
                let id = "pulse:\(found)"
                devices.append(
                    AudioDeviceInfo(
                        id: id, name: id, description: String(words.dropFirst(13)), directions: [direction],
                        kind: .soundServer, configuration: configuration(id: id, device: found)))
            }
        }
        return devices
    }

    private static func configuration(id: String, device: String) -> String {
        // The server chooses the names: nothing in them may end the text.
        let quoted = device.filter { $0 != "\"" && $0 != "\\" && $0 != "\n" }
        return "pcm.\"\(id.filter { $0 != "\"" })\" { type pulse device \"\(quoted)\" }"
    }

    private static func isListening(_ path: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}

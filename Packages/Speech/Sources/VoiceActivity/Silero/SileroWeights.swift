// SPDX-License-Identifier: MIT

internal import Glibc

/// The weights of the Silero voice-activity network, version 6.2.3 for 16 kHz (MIT licence), ready to compute with.
///
/// They are read from the ONNX file of the PyPI wheel `silero-vad`, which `Scripts/fetch-weights` installs. An instance
/// takes 1.1 MB, is immutable, and is shared by all detectors that are made from it.
public struct SileroWeights: Sendable {
    /// The path of the file below a folder of models.
    public static let fileName = "silero-vad-6.2.3/silero_vad_16k_op15.onnx"

    let network: SileroNetwork

    /// Reads the weights from the file at `path`.
    ///
    /// - Throws: ``VoiceActivityError`` with `weightsMissing`, `weightsUnreadable`, `weightsDamaged` or
    ///   `weightsOfAnotherModel`.
    public init(path: String) throws(VoiceActivityError) {
        try self.init(bytes: Self.contents(of: path), name: path)
    }

    /// Reads the installed weights.
    ///
    /// - Parameter folders: Folders of models; the first one with the file is taken.
    /// - Throws: The errors of `init(path:)`; `weightsMissing` names the folders.
    public init(
        searching folders: [String] = SileroWeights.folders(environment: currentEnvironment())
    ) throws(VoiceActivityError) {
        for folder in folders where access("\(folder)/\(Self.fileName)", F_OK) == 0 {
            self = try SileroWeights(path: "\(folder)/\(Self.fileName)")
            return
        }
        throw VoiceActivityError(
            .weightsMissing, "The weights of the voice-activity network are not installed. Run Scripts/fetch-weights.",
            detail: "no \(Self.fileName) in \(folders.joined(separator: ", "))")
    }

    /// Reads the weights from the content of an ONNX file.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - name: The file's name in messages.
    /// - Throws: ``VoiceActivityError`` with `weightsDamaged` or `weightsOfAnotherModel`.
    public init(bytes: [UInt8], name: String = "The file") throws(VoiceActivityError) {
        let tensors: ONNXTensors
        do {
            tensors = try ONNXTensors(bytes)
        } catch {
            throw VoiceActivityError(
                .weightsDamaged, "\(name) is damaged. Delete it and run Scripts/fetch-weights.", detail: "\(error)")
        }
        network = try SileroNetwork(tensors, name: name)
    }

    /// The folders that may hold the weights, in this order: `PARLEY_MODELS`; `PARLEY_HOME/data/models`, or else
    /// `XDG_DATA_HOME/parley/models` (by default `~/.local/share`); `parley/models` below each of `XDG_DATA_DIRS` (by
    /// default `/usr/local/share` and `/usr/share`). XDG Base Directory Specification 0.8.
    public static func folders(environment: [String: String]) -> [String] {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        func absolute(_ name: String) -> String? { value(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        var folders: [String] = []
        if let models = value("PARLEY_MODELS") { folders.append(models) }
        if let home = value("PARLEY_HOME") {
            folders.append(home + "/data/models")
        } else if let data = absolute("XDG_DATA_HOME") {
            folders.append(data + "/parley/models")
        } else if let home = absolute("HOME") {
            folders.append(home + "/.local/share/parley/models")
        }
        let shared = value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
        folders += shared.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/parley/models" }
        return folders
    }

    /// The variables of this process that ``folders(environment:)`` reads.
    public static func currentEnvironment() -> [String: String] {
        var environment: [String: String] = [:]
        for name in ["PARLEY_MODELS", "PARLEY_HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "HOME"] {
            if let value = getenv(name) { environment[name] = String(cString: value) }
        }
        return environment
    }

    /// Larger than any version of the file; a longer file is not a model.
    private static let longestFile = 32 << 20

    private static func contents(of path: String) throws(VoiceActivityError) -> [UInt8] {
        guard let file = fopen(path, "rbe") else {
            throw VoiceActivityError(
                errno == ENOENT ? .weightsMissing : .weightsUnreadable,
                "The weights cannot be opened at \(path). Run Scripts/fetch-weights.",
                detail: String(cString: strerror(errno)))
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while bytes.count <= longestFile {
            let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                count = fread(buffer.baseAddress, 1, 1 << 16, file)
            }
            if piece.isEmpty { break }
            bytes += piece
        }
        guard ferror(file) == 0, bytes.count <= longestFile else {
            throw VoiceActivityError(
                .weightsUnreadable, "The weights cannot be read from \(path). Run Scripts/fetch-weights.",
                detail: ferror(file) == 0 ? "the file is too long" : String(cString: strerror(errno)))
        }
        return bytes
    }
}

// SPDX-License-Identifier: MIT

extension ResponseItem {
    /// True if a picture is part of the item.
    package var hasImage: Bool {
        switch self {
        case .message(let message): message.content.contains(where: \.isImage)
        case .functionCallOutput(let output), .customToolCallOutput(let output):
            if case .parts(let parts) = output.output { parts.contains(where: \.isImage) } else { false }
        default: false
        }
    }
}

extension ContentPart {
    /// True for a picture.
    fileprivate var isImage: Bool { if case .inputImage = self { true } else { false } }
}

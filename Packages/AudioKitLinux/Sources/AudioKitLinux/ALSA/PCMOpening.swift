// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc

/// Opens the PCM that an `AudioDevice` names.
enum PCMOpening {
    typealias Opened = (pcm: OpaquePointer, plugin: VirtualPlugin?)

    static func open(_ device: AudioDevice, _ direction: AudioDirection) throws(AudioError) -> Opened {
        switch device.kind {
        case .virtual(let card):
            let plugin = try VirtualPlugin(card, direction)
            return (plugin.pcm, plugin)
        case .alsa(let name, let configuration):
            return (try open(name, configuration, direction), nil)
        }
    }

    private static func open(
        _ name: String, _ configuration: String?, _ direction: AudioDirection
    ) throws(AudioError) -> OpaquePointer {
        var pcm: OpaquePointer?
        let stream = direction == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
        // Non-blocking: opening would otherwise wait for a busy device without end.
        let mode = Int32(SND_PCM_NONBLOCK)
        let (code, text) = ALSAMessages.gather { () -> Int32 in
            guard let configuration else { return snd_pcm_open(&pcm, name, stream, mode) }
            var tree: OpaquePointer?
            let loaded = configuration.withCString { snd_config_load_string(&tree, $0, strlen($0)) }
            guard loaded >= 0, let tree else { return loaded }
            defer { snd_config_delete(tree) }
            return snd_pcm_open_lconf(&pcm, name, stream, mode, tree)
        }
        guard code >= 0, let pcm else {
            throw OpenFailure.error(name: name, code: code, nodes: OpenFailure.cardNodes(), text: text)
        }
        return pcm
    }
}

// SPDX-License-Identifier: MIT

// `import AudioKitLinux` is enough: every device and file speaks in buffers. Their module is apart so that what only passes sound
// on, such as a client of a speech service, links no sound library.
@_exported public import AudioBuffers

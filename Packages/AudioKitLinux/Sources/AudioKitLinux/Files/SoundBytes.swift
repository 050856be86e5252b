// SPDX-License-Identifier: MIT

/// Where the bytes of a sound file go that is no plain file, such as an encrypted one: they come in order, and what was
/// given is never changed afterwards.
///
/// Called by `SoundFileWriter`, within its own calls and on their thread.
public protocol SoundByteSink: AnyObject {
    /// Takes the next bytes; they must not outlive the call. After an error it is not called again, and the writer throws
    /// that error.
    func append(_ bytes: UnsafeRawBufferPointer) throws(AudioError)
}

/// Where the bytes of a sound file come from that is no plain file. Its content does not change while it is read.
///
/// Called by `SoundFileReader`, within its own calls and on their thread.
public protocol SoundByteSource: AnyObject {
    /// How many bytes there are.
    var byteCount: Int { get }

    /// Fills `target` with the bytes from `offset` on, as far as there are any, and says how many that were.
    ///
    /// The error of a read that fails is thrown by the reader's call.
    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int
}

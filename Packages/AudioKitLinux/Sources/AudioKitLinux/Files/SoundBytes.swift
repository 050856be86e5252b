// SPDX-License-Identifier: MIT

/// A destination for the bytes of a sound file other than a plain file, such as an encrypted file. The bytes arrive in
/// order and are never changed afterwards.
///
/// Called by `SoundFileWriter`, within its own calls and on their thread.
public protocol SoundByteSink: AnyObject {
    /// Takes the next bytes; they must not outlive the call. After an error it is not called again, and the writer
    /// throws that error.
    func append(_ bytes: UnsafeRawBufferPointer) throws(AudioError)
}

/// A source of the bytes of a sound file other than a plain file. Its content does not change while it is read.
///
/// Called by `SoundFileReader`, within its own calls and on their thread.
public protocol SoundByteSource: AnyObject {
    /// The number of bytes.
    var byteCount: Int { get }

    /// Fills `target` with the bytes from `offset` to the end at most, and returns their number.
    ///
    /// The error of a read that fails is thrown by the reader's call.
    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int
}

// SPDX-License-Identifier: MIT
internal import CSndFile

/// The descriptive texts in a sound file. Formats differ in the tags that they can hold: WAV keeps all but the licence
/// and the album, FLAC and Ogg keep all.
public struct SoundFileTags: Sendable, Hashable {
    /// The title.
    public var title: String?
    /// The speaker or the musicians.
    public var artist: String?
    /// The collection that it belongs to.
    public var album: String?
    /// The date of the recording, as free text; ISO 8601 by convention.
    public var date: String?
    /// Anything else.
    public var comment: String?
    /// The program that wrote it. libsndfile adds its own name and version when it writes.
    public var software: String?
    /// The holder of the rights.
    public var copyright: String?
    /// The terms of use.
    public var licence: String?
    /// The kind of sound.
    public var genre: String?
    /// Its number in the collection.
    public var trackNumber: String?

    /// Makes tags; all nil unless given.
    public init(
        title: String? = nil, artist: String? = nil, album: String? = nil, date: String? = nil, comment: String? = nil,
        software: String? = nil, copyright: String? = nil, licence: String? = nil, genre: String? = nil,
        trackNumber: String? = nil
    ) {
        self.title = title
        self.artist = artist
        self.album = album
        self.date = date
        self.comment = comment
        self.software = software
        self.copyright = copyright
        self.licence = licence
        self.genre = genre
        self.trackNumber = trackNumber
    }

    /// True if all tags are nil.
    public var isEmpty: Bool { self == SoundFileTags() }

    init(of handle: OpaquePointer) {
        self.init()
        for (kind, path) in Self.kinds {
            // Damaged files hold bytes that are not text: they become replacement characters.
            if let text = sf_get_string(handle, kind) { self[keyPath: path] = String(cString: text) }
        }
    }

    /// Sets them in a file that is about to be written; tags that its format cannot hold are left out.
    func apply(to handle: OpaquePointer) {
        for (kind, path) in Self.kinds {
            if let text = self[keyPath: path] { sf_set_string(handle, kind, text) }
        }
    }

    private static var kinds: [(Int32, WritableKeyPath<SoundFileTags, String?>)] {
        [
            (Int32(SF_STR_TITLE), \.title), (Int32(SF_STR_ARTIST), \.artist), (Int32(SF_STR_ALBUM), \.album),
            (Int32(SF_STR_DATE), \.date), (Int32(SF_STR_COMMENT), \.comment), (Int32(SF_STR_SOFTWARE), \.software),
            (Int32(SF_STR_COPYRIGHT), \.copyright), (Int32(SF_STR_LICENSE), \.licence),
            (Int32(SF_STR_GENRE), \.genre), (Int32(SF_STR_TRACKNUMBER), \.trackNumber),
        ]
    }
}

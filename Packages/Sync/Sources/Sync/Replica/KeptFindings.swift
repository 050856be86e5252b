// SPDX-License-Identifier: MIT

extension SyncTables {
    /// The most findings that are kept: a place can cause any number.
    private static var limit: Int { 100 }

    /// Keeps findings until somebody is told, with what follows from them: an exchange that fails later, or is cut off,
    /// does not find them again.
    func keep(_ findings: [SyncFinding]) throws {
        guard !findings.isEmpty else { return }
        let all = try (keptFindings() + findings).prefix(Self.limit)
        var writer = ByteWriter()
        for finding in all {
            writer.write(Array(finding.kind.rawValue.utf8))
            writer.write(finding.device?.bytes ?? [])
            writer.write(Array(finding.subject.utf8))
        }
        try set(.findings, writer.bytes)
    }

    func keptFindings() throws -> [SyncFinding] {
        guard let bytes = try value(.findings) else { return [] }
        var reader = ByteReader(bytes)
        var findings: [SyncFinding] = []
        while reader.remaining > 0 {
            let kind = String(decoding: try reader.string(), as: UTF8.self)
            let device = DeviceID(try reader.string())
            let subject = String(decoding: try reader.string(), as: UTF8.self)
            // A newer program has more kinds.
            guard let kind = SyncFinding.Kind(rawValue: kind) else { continue }
            findings.append(SyncFinding(kind: kind, device: device, subject: subject))
        }
        return findings
    }

    /// The findings that are kept, which are forgotten.
    func takeFindings() throws -> [SyncFinding] {
        let findings = try keptFindings()
        try set(.findings, nil)
        return findings
    }
}

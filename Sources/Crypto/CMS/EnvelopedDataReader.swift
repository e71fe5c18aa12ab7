package import Wire

/// Reads the ContentInfo of an encrypted payload, DER or BER, within 16 levels and 1 MiB.
package enum EnvelopedDataReader {
    /// `name` is the name of the one check that is made.
    package static func read(
        _ bytes: [UInt8],
        name: String = "encryptedPayload.structure"
    ) -> Checked<EnvelopedData> {
        let type: OID
        let content: BERElement?
        do throws(BERFault) {
            (type, content) = try contentInfo(bytes)
        } catch {
            let fault = fault(for: error, inContentInfo: true)
            return Checked(value: nil, checks: [.failed(name, fault, evidence: error.description)])
        }
        let isAuthenticated = type == .authEnvelopedData
        guard type == .envelopedData || isAuthenticated else {
            return Checked(value: nil, checks: [refusal(of: type, content, name)])
        }
        do throws(BERFault) {
            guard let content else { throw BERFault(.unexpectedElement, at: bytes.count, expected: .context(0)) }
            let data = try EnvelopedData(try content.child(.sequence), isAuthenticated: isAuthenticated)
            if let excess = data.excess { return Checked(value: nil, checks: [.failed(name, excess)]) }
            return Checked(value: data, checks: [.passed(name, evidence: summary(data, bytes))])
        } catch {
            let fault = fault(for: error, inContentInfo: false)
            return Checked(value: nil, checks: [.failed(name, fault, evidence: error.description)])
        }
    }

    private static func contentInfo(_ bytes: [UInt8]) throws(BERFault) -> (OID, BERElement?) {
        var reader = try BERReader(bytes)
        guard bytes.first == 0x30 else { throw BERFault(.unexpectedElement, at: 0, expected: .sequence) }
        let outer = try reader.next(.sequence)
        var fields = try outer.children()
        let type = try fields.next(.objectIdentifier).objectIdentifier()
        let content = try fields.nextIfPresent(.context(0))
        try fields.finish()
        try reader.finish()
        return (type, content)
    }

    private static func fault(for fault: BERFault, inContentInfo: Bool) -> CMSFault {
        switch fault.reason {
        // Inside, the whole was there, so it is an inner length that is wrong.
        case .truncated: inContentInfo ? .truncated : .length
        case .lengthBeyondParent: .length
        case .tooLarge: .tooLarge
        case .tooDeep: .tooDeep
        case .trailingBytes: inContentInfo ? .trailingBytes : .structure
        case .unexpectedElement, .lengthForm, .lengthNotMinimal, .indefiniteLength, .tagForm, .contentForm:
            inContentInfo ? .notCMS : .structure
        }
    }

    private static func refusal(of type: OID, _ content: BERElement?, _ name: String) -> Check {
        switch type {
        case .signedData: .failed(name, CMSFault.signedData, evidence: encapsulated(content))
        case .encryptedData: .failed(name, CMSFault.encryptedData, evidence: cipher(ofEncryptedData: content))
        default: .failed(name, CMSFault.contentType, evidence: type.cmsName)
        }
    }

    /// What SignedData signs, for evidence.
    private static func encapsulated(_ content: BERElement?) -> String? {
        guard let data = try? content?.child(.sequence), let type = SignedContent.encapsulated(data) else { return nil }
        return "signedData of \(type.cmsName)"
    }

    /// The algorithm that EncryptedData names, for evidence.
    private static func cipher(ofEncryptedData content: BERElement?) -> String? {
        guard var fields = try? content?.child(.sequence).children(), (try? fields.next(.integer)) != nil,
            var info = try? fields.next(.sequence).children(), (try? info.next(.objectIdentifier)) != nil,
            let element = try? info.next(.sequence), let algorithm = try? AlgorithmIdentifier(element)
        else { return nil }
        return "encryptedData with \(algorithm.identifier.cmsName)"
    }

    private static func summary(_ data: EnvelopedData, _ bytes: [UInt8]) -> String {
        let isIndefinite = bytes.count > 1 && bytes[1] == 0x80
        let type = data.tag == nil ? "EnvelopedData" : "AuthEnvelopedData"
        let attributes = data.attributes.map { ", \($0.count) authenticated attribute(s)" } ?? ""
        return "\(type), \(isIndefinite ? "BER" : "DER"), \(data.recipients.count) recipient(s)\(attributes)"
    }
}

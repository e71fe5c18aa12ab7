import Testing
import Wire

@testable import Crypto

/// What each payload in `fixtures/cms` gives: the codes of its checks that are failures or warnings.
private let expectations: [String: [String]] = [
    "openssl.cbc256": [], "openssl.gcm256": [], "openssl.gcm256-stream": [],
    "openssl.gcm128": ["CMS_CONTENT_KEY_SIZE"], "openssl.signed-inside": ["CMS_SIGNED_CONTENT"],
    "openssl.signed-typed": ["CMS_INNER_TYPE", "CMS_SIGNED_CONTENT"], "openssl.signed-outside": ["CMS_SIGNED_DATA"],
    "bouncy-castle.cbc128": ["CMS_CONTENT_KEY_SIZE"], "bouncy-castle.cbc192": ["CMS_CONTENT_KEY_SIZE"],
    "bouncy-castle.cbc256": [], "dotnet.plain": [], "dotnet.wrapped": ["CMS_WRAPPED_CONTENT"],
    "forge.constructed": [], "forge.pkcs1": ["CMS_RSA_PKCS1V15"],
    "pkijs.chunks": [], "pkijs.gcm-in-enveloped": ["CMS_GCM_IN_ENVELOPED_DATA"], "cloud-kms.nested": [],
    "ours-repeated": [], "two-of-ours": [],
    "gcm128": ["CMS_CONTENT_KEY_SIZE"], "gcm192": ["CMS_CONTENT_KEY_SIZE"], "gcm256": [],
    "gcm128.attributes": ["CMS_CONTENT_KEY_SIZE"], "gcm192.attributes": ["CMS_CONTENT_KEY_SIZE"],
    "gcm256.attributes": [], "gcm256.attributes-ber": [],
    "gcm256.attributes-forgotten": ["CMS_TAG_MISMATCH"], "gcm256.attributes-tagged": ["CMS_TAG_MISMATCH"],
    "gcm256.tag12": [], "gcm256.tag13": [], "gcm256.tag14": [], "gcm256.tag15": [],
    "gcm256.tag-default": [], "gcm256.tag-undeclared": ["CMS_TAG_LENGTH"], "gcm256.nonce16": [],
    "cbc-in-auth": ["CMS_CBC_IN_AUTH_ENVELOPED_DATA"],
]

struct ProducerTests {
    private let ours: [PayloadRecipient]
    private let plaintext = Array(CMSVector.plaintext.utf8)

    init() throws { ours = [try PayloadFile.recipient(2_048), try PayloadFile.recipient(4_096)] }

    @Test func `every file has an expectation`() {
        #expect(PayloadFile.names == expectations.keys.sorted())
    }

    @Test(arguments: PayloadFile.names, [EnvelopedDataOpener.Detail.diagnosed, .uniform])
    func `rows 43 and 77: a producer's payload opens or is refused by name`(
        _ name: String,
        _ detail: EnvelopedDataOpener.Detail
    ) throws {
        let checked = try EnvelopedDataOpener.open(
            try PayloadFile.payload(name),
            recipients: ours,
            detail: detail
        )
        let codes = checked.checks.compactMap { $0.code?.name }
        let afterDecryption = ["CMS_TAG_MISMATCH", "CMS_SIGNED_CONTENT"]
        let uniform = expectations[name]?.map { afterDecryption.contains($0) ? "CMS_NOT_OPENED" : $0 }
        #expect(codes == (detail == .uniform ? uniform : expectations[name]), "\(checked.checks)")
        #expect(checked.value?.plaintext.bytes == (checked.failures.isEmpty ? plaintext : nil))
    }

    @Test(arguments: [
        ("openssl.signed-inside", "a ContentInfo of SignedData"), ("openssl.signed-typed", "SignedData of data"),
        ("openssl.signed-outside", "signedData of envelopedData"),
    ])
    func `a signature around the card or the payload is named with its wrapping`(
        _ name: String,
        _ words: String
    ) throws {
        let failures = try EnvelopedDataOpener.open(try PayloadFile.payload(name), recipients: ours).failures
        #expect(failures.map(\.evidence) == [words])
    }

    @Test func `the first recipient of ours is the one that is used`() throws {
        let bytes = try PayloadFile.payload("two-of-ours")
        #expect(try EnvelopedDataOpener.open(bytes, recipients: ours).value?.keyId == "TSH-PAYLOAD-4096")
        #expect(try EnvelopedDataOpener.open(bytes, recipients: [ours[0]]).value?.keyId == "TSH-PAYLOAD-2048")
    }

    @Test(arguments: [
        ("gcm256.attributes-forgotten", "were not authenticated"), ("gcm256.attributes-tagged", "under the tag [1]"),
    ])
    func `what was authenticated instead of the attributes is named`(_ name: String, _ words: String) throws {
        let checked = try EnvelopedDataOpener.open(try PayloadFile.payload(name), recipients: ours)
        #expect(checked.failures.first?.evidence?.contains(words) == true)
    }

    @Test(arguments: ["gcm256.attributes", "openssl.gcm256", "gcm256.attributes-ber", "dotnet.wrapped"])
    func `no bent byte opens to another text, and no cut payload opens`(_ name: String) throws {
        let whole = try PayloadFile.payload(name)
        let data = try #require(EnvelopedDataReader.read(whole).value)
        let info = try #require(data.recipients.first)
        // What is in one piece and carries a secret or a proof: not one byte of it may be bent.
        let parts = [
            info.encryptedKey, data.tag, data.encryptedContent, data.attributes?.distinguished.suffix(60).map { $0 },
        ]
        let guarded = data.tag == nil ? [] : parts.compactMap { part in part.flatMap { whole.firstRange(of: $0) } }
        #expect(data.tag == nil || guarded.count >= 2)
        // CBC proves nothing: its IV and content may be bent into another text.
        let parameters = try #require(data.cipher.parameters).encoded
        let end = data.tag == nil ? try #require(whole.firstRange(of: parameters)).lowerBound : whole.count
        for index in whole.indices {
            let cut = Array(whole.prefix(index))
            #expect(try EnvelopedDataOpener.open(cut, recipients: [ours[0]]).value == nil)
            guard index < end else { continue }
            var bent = whole
            bent[index] ^= 0x41
            let seen = try EnvelopedDataOpener.open(bent, recipients: [ours[0]], detail: .uniform).value
            // A version or the name of the content's type may be bent: the text stays what it was.
            #expect(seen == nil || seen?.plaintext.bytes == plaintext, "byte \(index)")
            #expect(seen == nil || !guarded.contains { $0.contains(index) }, "byte \(index)")
        }
    }
}

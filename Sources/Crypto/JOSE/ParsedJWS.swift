package import Wire

/// A compact JWS taken apart. Nothing in it is trusted until ``JWSVerifier`` accepted it.
package struct ParsedJWS: Sendable {
    /// The first part.
    package let header: JSON
    /// The second part.
    package let claims: JSON
    /// The first two parts as they were sent, with the dot.
    package let signingInput: [UInt8]
    /// The third part; may be empty.
    package let signature: [UInt8]

    /// As written in the header, accepted or not.
    package var algorithm: String? { header["alg"]?.string }
    /// As written in the header.
    package var kid: String? { header["kid"]?.string }
}

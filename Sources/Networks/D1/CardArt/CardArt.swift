/// The published rules for the picture of a card in the Wallet extension (thales-push-provisioning 6.3,
/// apple-pay-provisioning 11): 1536 × 969, PNG or PDF, less than 4 MB, square corners.
package enum CardArt {
    package enum Rule: String, Sendable, CaseIterable {
        case format
        case structure
        case dimensions
        case size
        case corners
    }

    package struct Finding: Sendable, Equatable {
        package let rule: Rule
        package let detail: String
        /// False for what cannot be proven from the file's head and is only told.
        package let isBroken: Bool
    }

    static let width = 1_536
    static let height = 969
    /// 4 MB are read as 4 · 10⁶ bytes, the stricter of the two readings.
    static let sizeLimit = 4_000_000

    package static func findings(in bytes: [UInt8]) -> [Finding] {
        var findings: [Finding] = []
        if bytes.count >= sizeLimit {
            findings.append(broken(.size, "\(bytes.count) bytes; less than \(sizeLimit) are allowed"))
        }
        if bytes.starts(with: PNGImage.signature) {
            findings += png(bytes)
        } else if bytes.starts(with: Array("%PDF-".utf8)) {
            findings += PDFPage.findings(bytes)
        } else {
            findings.append(broken(.format, "neither a PNG nor a PDF: \(kind(of: bytes))"))
        }
        return findings
    }

    static func broken(_ rule: Rule, _ detail: String) -> Finding {
        Finding(rule: rule, detail: detail, isBroken: true)
    }

    static func remark(_ rule: Rule, _ detail: String) -> Finding {
        Finding(rule: rule, detail: detail, isBroken: false)
    }

    private static func png(_ bytes: [UInt8]) -> [Finding] {
        let image: PNGImage
        do throws(PNGImage.Fault) {
            image = try PNGImage(bytes)
        } catch {
            return [broken(.structure, error.rawValue)]
        }
        var findings: [Finding] = []
        if (image.width, image.height) != (width, height) {
            findings.append(
                broken(.dimensions, "\(image.width) × \(image.height) pixels; wanted \(width) × \(height)")
            )
        } else if image.mayBeTransparent {
            findings += corners(image)
        }
        return findings
    }

    /// Of a picture of the right size only, so that what is inflated is bounded.
    private static func corners(_ image: PNGImage) -> [Finding] {
        guard !image.isInterlaced else {
            return [remark(.corners, "inferred: interlaced with transparency, the corners were not read")]
        }
        do throws(PNGCorners.Fault) {
            let transparent = try PNGCorners.transparent(in: image)
            guard !transparent.isEmpty else { return [] }
            return [broken(.corners, "not opaque: \(transparent.joined(separator: ", ")); corners must be square")]
        } catch {
            return [broken(.structure, error.rawValue)]
        }
    }

    private static func kind(of bytes: [UInt8]) -> String {
        switch true {
        case bytes.isEmpty: "the file is empty"
        case bytes.starts(with: [0xFF, 0xD8, 0xFF]): "a JPEG"
        case bytes.starts(with: Array("GIF8".utf8)): "a GIF"
        case bytes.starts(with: Array("<svg".utf8)), bytes.starts(with: Array("<?xml".utf8)): "an SVG or XML"
        case bytes.starts(with: Array("RIFF".utf8)): "a WebP or another RIFF file"
        case bytes.starts(with: Array("iVBOR".utf8)): "base64 of a PNG"
        default: "unknown bytes"
        }
    }
}

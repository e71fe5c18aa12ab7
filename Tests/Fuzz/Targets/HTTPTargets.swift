import Compression
import Web

@testable import Transport

extension Target {
    static let http: [Target] = [
        // The first byte says in what pieces the rest arrives.
        Target("request") { bytes, _ in
            guard let first = bytes.first else { return }
            let whole = requests(in: Array(bytes.dropFirst()), piece: .max)
            let sliced = requests(in: Array(bytes.dropFirst()), piece: Int(first % 16) + 1)
            require(whole == sliced, "pieces change nothing: \(whole) and \(sliced)")
        },
        Target("answer") { bytes, _ in
            guard let first = bytes.first else { return }
            for piece in [Int.max, Int(first % 16) + 1] {
                for isHead in [false, true] { answer(in: Array(bytes.dropFirst()), piece: piece, isHead: isHead) }
            }
        },
        Target("gzip") { bytes, _ in
            guard let decoded = try? Gzip.decode(bytes, limit: 1 << 12) else { return }
            require(decoded.count <= 1 << 12, "the decoded bytes stay within their limit")
            require(
                (try? Gzip.decode(bytes, limit: decoded.count)) == decoded,
                "a limit that is just met changes nothing"
            )
            guard decoded.isEmpty == false else { return }
            require((try? Gzip.decode(bytes, limit: decoded.count - 1)) == nil, "one byte over the limit is refused")
        },
    ]

    /// What a connection makes of the bytes: requests and, at the end, a refusal or half a request.
    private static func requests(in bytes: [UInt8], piece: Int) -> [String] {
        let limits = Limits()
        var scanner = HeadScanner(limits: limits)
        let parser = RequestParser()
        var chunks = ChunkGuard(limits: limits)
        var found: [String] = []
        var head: HTTPRequest?
        var index = 0
        while index < bytes.count {
            let part = Array(bytes[index..<min(bytes.count, index + min(piece, bytes.count))])
            do {
                if let request = head {
                    index += try part.withUnsafeBufferPointer { buffer in
                        if parser.isChunked { try chunks.check(buffer) }
                        return try parser.readBody(buffer)
                    }
                    guard parser.isComplete else { continue }
                    found.append("\(request.method.rawValue) \(request.target) \(request.headers) \(parser.takeBody())")
                } else {
                    let progress = try part.withUnsafeBytes { buffer in try scanner.append(buffer)
                    }
                    guard case .complete(let unused) = progress else {
                        index += part.count
                        continue
                    }
                    index += part.count - unused
                    var rules = HeadRules()
                    guard let line = scanner.line,
                        let request = scanner.request(of: HeadScanner.Client(), rules: &rules)
                    else {
                        fatalError("a head without a request line")
                    }
                    try rules.check(request, isOldVersion: line.isOldVersion)
                    try parser.readHead(scanner.bytes)
                    if !parser.isComplete {
                        head = request
                        continue
                    }
                    found.append("\(request.method.rawValue) \(request.target) \(request.headers)")
                }
                scanner = HeadScanner(limits: limits)
                chunks = ChunkGuard(limits: limits)
                head = nil
            } catch {
                guard let fault = error as? RequestFault else { fatalError("\(error)") }
                return found + ["refused: \(fault.reason)"]
            }
        }
        return found
    }

    private static func answer(in bytes: [UInt8], piece: Int, isHead: Bool) {
        let parser = AnswerParser(bodyBytes: 1 << 16, headBytes: 1 << 14)
        parser.begin(isHead: isHead)
        var index = 0
        do {
            while index < bytes.count, !parser.isComplete {
                let end = min(bytes.count, index + min(piece, bytes.count))
                let used = try bytes[index..<end].withUnsafeBytes { buffer in
                    try parser.read(buffer)
                }
                require(used <= end - index, "no more bytes than there are")
                index = end
            }
        } catch { return }
        guard parser.end() else { return }
        let response = parser.takeResponse()
        require(response.body.count <= 1 << 16, "the body stays within its limit")
    }
}

import Testing
import Transport

/// Which methods get as far as the routes; the others are 501 (`BrokenRequestTests`).
struct MethodTests {
    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
    func `a method that the server recognizes reaches the responder`(method: String) async throws {
        try await withServer { server in
            let client = try server.client()
            for target in ["/a", "/b"] {
                try client.send("\(method) \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.answer(headOnly: method == "HEAD").status == 200)
            }
            #expect(server.responder.log == ["respond /a", "respond /b"])
        }
    }
}

import Masking
import Testing
import Traffic
import Web

@Suite struct MaskedHeadersTests {
    @Test func `each header is masked by its name, and keeps its place`() {
        let headers = HTTPHeaders([
            (.authorization, "Bearer abc.def"), (HTTPHeaderName("x-pay-token"), "xv2:1767225600:9f86d081"),
            (HTTPHeaderName("cookie"), "a=b; c=d"), (HTTPHeaderName("X-Request-Id"), "4111111111111111"),
            (HTTPHeaderName("location"), "/cards?pan=9999999999999&x=1"),
            (HTTPHeaderName("date"), "Thu, 01 Jan 2026 00:00:00 GMT"),
        ])
        let masked = Masking.headers(headers)
        #expect(masked.map { $0.name.lowercased() } == headers.fields.map { $0.name.text.lowercased() })
        #expect(
            masked.map(\.value) == [
                "Bearer ***", "xv2:***", "***", "************1111", "/cards?pan=*********9999&x=1",
                "Thu, 01 Jan 2026 00:00:00 GMT",
            ]
        )
    }
}

// A card of an issuer, pushed into a wallet of the sandbox: from the card's data to an active token.
//
//	SCHEME=VISA go run push.go
//
// Go 1.18 or later, nothing but the standard library. seal and authorizationCode are what an issuer's backend does; push
// is what its app does. A service returns its errors; this program ends with the first one.
package main

import (
	"bytes"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatalln(err)
	}
	return value
}

func environment(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

var (
	api      = environment("API", "http://127.0.0.1:8080")
	control  = environment("CONTROL", "http://127.0.0.1:8081")
	bearer   = environment("CONTROL_TOKEN", "") // where the control API wants one
	tenant   = environment("TENANT", "push-go")
	keys     = environment("KEYS", "keys")
	codeLife = must(time.ParseDuration(environment("CODE_LIFE", "300") + "s"))
)

const issuer, application = "DEMOBANK01", "A1B2C3D4E5.com.demobank.app"

// Published test numbers; PassKit has its own names for the schemes.
var cards = map[string]struct{ network, pan string }{
	"VISA":       {"Visa", "4111111111111111"},
	"MASTERCARD": {"MasterCard", "5555555555554444"},
	"AMEX":       {"AmEx", "378282246310005"},
	"DISCOVER":   {"Discover", "6011111111111117"},
}

type object = map[string]any

// call gives the JSON of an answer. The API takes the tenant from the path, the control API from the header. An answer
// that is not 2xx is printed: the network's own words are in the body, the sandbox's reasons in a header.
func call(method, url string, body any) object {
	request := must(http.NewRequest(method, url, bytes.NewReader(must(json.Marshal(body)))))
	request.Header.Set("content-type", "application/json")
	request.Header.Set("x-sandbox-tenant", tenant)
	if bearer != "" && strings.HasPrefix(url, control) {
		request.Header.Set("authorization", "Bearer "+bearer)
	}
	answer := must(http.DefaultClient.Do(request))
	defer answer.Body.Close()
	text, read := must(io.ReadAll(answer.Body)), object{}
	err := json.Unmarshal(text, &read)
	if answer.StatusCode < 300 {
		return must(read, err)
	}
	code, message := read["code"], read["message"]
	if code == nil {
		code = read["reason"] // TSH and the control API: code; the wallet: reason
	}
	if message == nil {
		message = string(text)
	}
	log.Fatalf("refused: %s %s\n  HTTP %d, code %v: %v\n  X-Sandbox-Diagnosis: %s\n  more: GET %s/v1/journal/%s\n",
		method, url, answer.StatusCode, code, message,
		answer.Header.Get("x-sandbox-diagnosis"), control, answer.Header.Get("x-request-id"))
	return nil
}

// file gives the DER of a PEM file of the keys folder.
func file(name string) []byte {
	block, _ := pem.Decode(must(os.ReadFile(filepath.Join(keys, name))))
	if block == nil {
		log.Fatalln(name, "is not PEM")
	}
	return block.Bytes
}

// The types of CMS (RFC 5652) and OAEP (RFC 4055) that a payload needs.
type contentInfo struct {
	Type    asn1.ObjectIdentifier
	Content envelopedData `asn1:"explicit,tag:0"`
}
type envelopedData struct {
	Version    int
	Recipients []recipient `asn1:"set"`
	Content    encryptedContent
}
type recipient struct {
	Version      int
	Identifier   []byte `asn1:"tag:0"`
	Algorithm    algorithm
	EncryptedKey []byte
}
type encryptedContent struct {
	Type      asn1.ObjectIdentifier
	Algorithm algorithm
	Content   []byte `asn1:"tag:0"`
}
type algorithm struct {
	Algorithm  asn1.ObjectIdentifier
	Parameters any
}
type oaepParameters struct {
	Hash pkix.AlgorithmIdentifier `asn1:"explicit,tag:0"`
	Mask algorithm                `asn1:"explicit,tag:1"`
}

// seal makes the payload: CMS EnvelopedData, AES-256-CBC, the key with RSA-OAEP (SHA-256, MGF1 with SHA-256), in
// hexadecimal.
func seal(card object) string {
	certificate := must(x509.ParseCertificate(file("tsh/payload-2048.cert.pem")))
	random := make([]byte, 48)
	must(rand.Read(random))
	key, iv := random[:32], random[32:]
	content := must(json.Marshal(card))
	padding := aes.BlockSize - len(content)%aes.BlockSize // PKCS#7, which crypto/cipher leaves to its caller
	content = append(content, bytes.Repeat([]byte{byte(padding)}, padding)...)
	cipher.NewCBCEncrypter(must(aes.NewCipher(key)), iv).CryptBlocks(content, content)
	encryptedKey := must(rsa.EncryptOAEP(sha256.New(), rand.Reader, certificate.PublicKey.(*rsa.PublicKey), key, nil))
	sha := pkix.AlgorithmIdentifier{Algorithm: asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}, Parameters: asn1.NullRawValue}
	mgf1 := algorithm{asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 8}, sha}
	rsaesOAEP := algorithm{asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 7}, oaepParameters{sha, mgf1}}
	aes256CBC := algorithm{asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 42}, iv}
	data, enveloped := asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 1}, asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 3}
	recipients := []recipient{{2, certificate.SubjectKeyId, rsaesOAEP, encryptedKey}}
	envelope := envelopedData{2, recipients, encryptedContent{data, aes256CBC, content}}
	return hex.EncodeToString(must(asn1.Marshal(contentInfo{enveloped, envelope})))
}

// authorizationCode is the proof that the issuer wants it, for one card reference (or, in the life cycle, one token id).
func authorizationCode(subject string) string {
	key := must(x509.ParsePKCS8PrivateKey(file("issuers/" + issuer + "/authorization.key.pem"))).(*rsa.PrivateKey)
	once := make([]byte, 16)
	must(rand.Read(once))
	now := time.Now()
	header := object{"typ": "JWT", "alg": "RS256", "kid": "demobank01-auth-1"}
	claims := object{"iss": issuer, "sub": subject, "aud": "APPLE_PAY", "iat": now.Unix(), "exp": now.Add(codeLife).Unix(),
		"jti": hex.EncodeToString(once)}
	base64url := base64.RawURLEncoding.EncodeToString
	text := base64url(must(json.Marshal(header))) + "." + base64url(must(json.Marshal(claims)))
	digest := sha256.Sum256([]byte(text))
	return text + "." + base64url(must(rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, digest[:])))
}

// push gives the wallet's answer: decision, token id and pass.
func push(scheme string) object {
	known, base := cards[scheme], api+"/t/"+tenant
	card := object{"issuerCardRefId": "push-" + strings.ToLower(scheme), "fpan": known.pan, "exp": "1230",
		"cardHolderName": "ANA PRUEBA"}
	phone := call("POST", base+"/wallet/apple/devices", object{"kind": "phone"})
	session := call("POST", fmt.Sprint(base, "/wallet/apple/devices/", phone["deviceId"], "/provisioning-sessions"), object{
		"paymentNetwork":       known.network,
		"cardholderName":       card["cardHolderName"],
		"primaryAccountSuffix": known.pan[len(known.pan)-4:],
		"application":          application,
	})
	triple := call("POST", base+"/mg/tpc/"+issuer+"/generateAddPaymentPassRequest", object{
		"scheme":            scheme,
		"encryptedPayload":  seal(card),
		"authorizationCode": authorizationCode("push-" + strings.ToLower(scheme)),
		"certificateChain":  session["certificates"],
		"nonce":             session["nonce"],
		"nonceSignature":    session["nonceSignature"],
	})
	return call("POST", fmt.Sprint(base, "/wallet/apple/provisioning-sessions/", session["sessionId"], "/pass"), triple)
}

func main() {
	log.SetFlags(0)
	scheme := environment("SCHEME", "VISA")
	made := push(scheme)
	token := call("GET", fmt.Sprint(control, "/v1/tokens/", made["tokenId"]), nil)
	fmt.Printf("%s: %v, token %v is %v\n", scheme, made["decision"], token["tokenId"], token["state"])
}

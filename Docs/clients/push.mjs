// A card of an issuer, pushed into a wallet of the sandbox: from the card's data to an active token.
//
//     SCHEME=VISA node push.mjs
//
// Node 18 or later, nothing but its standard library: `crypto` has OAEP and AES, and what is missing, the ASN.1 around
// them, is built here. `seal` and `authorizationCode` are what an issuer's backend does; `push` is what its app does.

import crypto from "node:crypto";
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const {
  API = "http://127.0.0.1:8080",
  CONTROL = "http://127.0.0.1:8081",
  CONTROL_TOKEN, // where the control API wants one
  TENANT = "push-node",
  SCHEME = "VISA",
  KEYS = "keys",
  CODE_LIFE = "300", // seconds
} = process.env;

export const ISSUER = "DEMOBANK01";
export const APPLICATION = "A1B2C3D4E5.com.demobank.app";
export const CARDS = {
  // published test numbers; PassKit has its own names for the schemes
  VISA: { network: "Visa", pan: "4111111111111111" },
  MASTERCARD: { network: "MasterCard", pan: "5555555555554444" },
  AMEX: { network: "AmEx", pan: "378282246310005" },
  DISCOVER: { network: "Discover", pan: "6011111111111117" },
};

/** An answer that is not 2xx: the network's own words are in the body, the sandbox's reasons in a header. */
export class Refused extends Error {
  constructor(method, url, answer, text) {
    const isJSON = answer.headers.get("content-type")?.includes("json");
    const error = isJSON ? JSON.parse(text) : {};
    const code = error.code ?? error.reason; // TSH and the control API: code; the wallet: reason
    const diagnosis = answer.headers.get("x-sandbox-diagnosis");
    super(
      `${method} ${url}\n` +
        `  HTTP ${answer.status}, code ${code}: ${error.message ?? text}\n` +
        `  X-Sandbox-Diagnosis: ${diagnosis}\n` +
        `  more: GET ${CONTROL}/v1/journal/${answer.headers.get("x-request-id")}`,
    );
    Object.assign(this, { status: answer.status, code, diagnosis });
  }
}

/** The JSON of an answer. The API takes the tenant from the path, the control API from this header. */
export async function call(method, url, body, tenant = TENANT) {
  const headers = { "content-type": "application/json", "x-sandbox-tenant": tenant };
  if (CONTROL_TOKEN && url.startsWith(CONTROL)) headers.authorization = `Bearer ${CONTROL_TOKEN}`;
  const answer = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Refused(method, url, answer, text);
  return text ? JSON.parse(text) : null;
}

// ASN.1 in DER: a tag, a length, and what is inside.
function tlv(tag, ...parts) {
  const body = Buffer.concat(parts);
  const length = body.length.toString(16);
  const bytes = Buffer.from(length.padStart(length.length + (length.length % 2), "0"), "hex");
  const header = body.length < 128 ? [tag, body.length] : [tag, 0x80 | bytes.length, ...bytes];
  return Buffer.concat([Buffer.from(header), body]);
}
const sequence = (...parts) => tlv(0x30, ...parts);
const oid = (hex) => tlv(0x06, Buffer.from(hex, "hex"));
const version = tlv(0x02, Buffer.from([2])); // of the envelope and of a recipient with a key identifier
const SHA256 = sequence(oid("608648016503040201"), tlv(0x05));
const MGF1_SHA256 = sequence(oid("2a864886f70d010108"), SHA256);
const RSAES_OAEP = sequence(oid("2a864886f70d010107"), sequence(tlv(0xa0, SHA256), tlv(0xa1, MGF1_SHA256)));

// The certificate's subject key identifier, which X509Certificate does not tell: what follows its OID, inside two
// OCTET STRINGs.
function keyIdentifier(certificate) {
  const der = certificate.raw;
  const start = der.indexOf(Buffer.from("0603551d0e04", "hex")) + 9;
  return der.subarray(start, start + der[start - 1]);
}

/** The payload: CMS EnvelopedData, AES-256-CBC, the key with RSA-OAEP (SHA-256, MGF1 with SHA-256), in hexadecimal. */
export function seal(card) {
  const certificate = new crypto.X509Certificate(fs.readFileSync(`${KEYS}/tsh/payload-2048.cert.pem`));
  const key = crypto.randomBytes(32);
  const iv = crypto.randomBytes(16);
  const cipher = crypto.createCipheriv("aes-256-cbc", key, iv);
  const content = Buffer.concat([cipher.update(JSON.stringify(card), "utf8"), cipher.final()]);
  const padding = crypto.constants.RSA_PKCS1_OAEP_PADDING;
  const encryptedKey = crypto.publicEncrypt({ key: certificate.publicKey, padding, oaepHash: "sha256" }, key);
  const recipient = sequence(version, tlv(0x80, keyIdentifier(certificate)), RSAES_OAEP, tlv(0x04, encryptedKey));
  const cbc = sequence(oid("60864801650304012a"), tlv(0x04, iv)); // aes256-CBC
  const encrypted = sequence(oid("2a864886f70d010701"), cbc, tlv(0x80, content)); // data
  const enveloped = sequence(version, tlv(0x31, recipient), encrypted);
  return sequence(oid("2a864886f70d010703"), tlv(0xa0, enveloped)).toString("hex"); // envelopedData
}

/** The proof that the issuer wants it, for one card reference (or, in the life cycle, one token id). */
export function authorizationCode(subject) {
  const now = Math.floor(Date.now() / 1000);
  const header = { typ: "JWT", alg: "RS256", kid: "demobank01-auth-1" };
  const times = { iat: now, exp: now + Number(CODE_LIFE) };
  const claims = { iss: ISSUER, sub: subject, aud: "APPLE_PAY", ...times, jti: crypto.randomUUID() };
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const key = fs.readFileSync(`${KEYS}/issuers/${ISSUER}/authorization.key.pem`);
  return `${text}.${crypto.sign("sha256", Buffer.from(text), key).toString("base64url")}`;
}

/** Gives the wallet's answer: decision, token id and pass. */
export async function push(scheme, tenant = TENANT) {
  const api = (path, body) => call("POST", `${API}/t/${tenant}${path}`, body, tenant);
  const { network, pan } = CARDS[scheme];
  const reference = `push-${scheme.toLowerCase()}`;
  const card = { issuerCardRefId: reference, fpan: pan, exp: "1230", cardHolderName: "ANA PRUEBA" };
  const { deviceId } = await api("/wallet/apple/devices", { kind: "phone" });
  const session = await api(`/wallet/apple/devices/${deviceId}/provisioning-sessions`, {
    paymentNetwork: network,
    cardholderName: card.cardHolderName,
    primaryAccountSuffix: pan.slice(-4),
    application: APPLICATION,
  });
  const triple = await api(`/mg/tpc/${ISSUER}/generateAddPaymentPassRequest`, {
    scheme,
    encryptedPayload: seal(card),
    authorizationCode: authorizationCode(reference),
    certificateChain: session.certificates,
    nonce: session.nonce,
    nonceSignature: session.nonceSignature,
  });
  return api(`/wallet/apple/provisioning-sessions/${session.sessionId}/pass`, triple);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const made = await push(SCHEME);
    const token = await call("GET", `${CONTROL}/v1/tokens/${made.tokenId}`);
    console.log(`${SCHEME}: ${made.decision}, token ${token.tokenId} is ${token.state}`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.error(`refused: ${error.message}`);
    process.exitCode = 1;
  }
}

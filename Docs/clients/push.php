<?php
// A card of an issuer, pushed into a wallet of the sandbox: from the card's data to an active token.
//
//     SCHEME=VISA php push.php
//
// PHP 8.1 or later with its openssl extension, and phpseclib 3 for OAEP with SHA-256. `seal` and `authorizationCode` are what
// an issuer's backend does; `push` is what its app does.

declare(strict_types=1);

require 'phpseclib3/autoload.php'; // Debian's php-phpseclib3; with Composer: vendor/autoload.php

use phpseclib3\Crypt\PublicKeyLoader;
use phpseclib3\Crypt\RSA;

function environment(string $name, string $otherwise): string
{
    return getenv($name) ?: $otherwise;
}

define('API', environment('API', 'http://127.0.0.1:8080'));
define('CONTROL', environment('CONTROL', 'http://127.0.0.1:8081'));
define('CONTROL_TOKEN', environment('CONTROL_TOKEN', '')); // where the control API wants one
define('TENANT', environment('TENANT', 'push-php'));
define('KEYS', environment('KEYS', 'keys'));
define('CODE_LIFE', (int) environment('CODE_LIFE', '300')); // seconds

const ISSUER = 'DEMOBANK01';
const APPLICATION = 'A1B2C3D4E5.com.demobank.app';
const CARDS = [ // published test numbers; PassKit has its own names for the schemes
    'VISA' => ['Visa', '4111111111111111'],
    'MASTERCARD' => ['MasterCard', '5555555555554444'],
    'AMEX' => ['AmEx', '378282246310005'],
    'DISCOVER' => ['Discover', '6011111111111117'],
];

/** An answer that is not 2xx: the network's own words are in the body, the sandbox's reasons in a header. */
final class Refused extends RuntimeException
{
}

/** The JSON of an answer. The API takes the tenant from the path, the control API from the header. */
function call(string $method, string $url, ?array $body = null): array
{
    $sent = ['content-type: application/json', 'x-sandbox-tenant: ' . TENANT];
    if (CONTROL_TOKEN !== '' && str_starts_with($url, CONTROL)) {
        $sent[] = 'authorization: Bearer ' . CONTROL_TOKEN;
    }
    $text = @file_get_contents($url, false, stream_context_create(['http' => [
        'method' => $method,
        'header' => $sent,
        'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR),
        'ignore_errors' => true, // an answer of 400 is an answer
    ]]));
    if ($text === false) {
        throw new RuntimeException("no answer from $url");
    }
    $headers = [];
    foreach ($http_response_header as $line) {
        [$name, $value] = explode(':', $line, 2) + [1 => ''];
        $headers[strtolower($name)] = trim($value);
    }
    $status = (int) explode(' ', $http_response_header[0])[1];
    $read = json_decode($text, true) ?? [];
    if ($status < 300) {
        return $read;
    }
    $code = $read['code'] ?? $read['reason'] ?? ''; // TSH and the control API: code; the wallet: reason
    throw new Refused("$method $url\n  HTTP $status, code $code: " . ($read['message'] ?? $text)
        . "\n  X-Sandbox-Diagnosis: " . ($headers['x-sandbox-diagnosis'] ?? '')
        . "\n  more: GET " . CONTROL . "/v1/journal/{$headers['x-request-id']}");
}

function api(string $path, array $body): array
{
    return call('POST', API . '/t/' . TENANT . $path, $body);
}

/** ASN.1 in DER: a tag, a length, and what is inside. */
function tlv(int $tag, string ...$parts): string
{
    $body = implode('', $parts);
    $length = ltrim(pack('N', strlen($body)), "\0");
    $length = strlen($body) < 128 ? chr(strlen($body)) : chr(0x80 | strlen($length)) . $length;
    return chr($tag) . $length . $body;
}

function oid(string $hex): string
{
    return tlv(0x06, hex2bin($hex));
}

/** The payload: CMS EnvelopedData, AES-256-CBC, the key with RSA-OAEP (SHA-256, MGF1 with SHA-256), in hexadecimal. */
function seal(array $card): string
{
    $certificate = openssl_x509_read(file_get_contents(KEYS . '/tsh/payload-2048.cert.pem'));
    $identifier = openssl_x509_parse($certificate)['extensions']['subjectKeyIdentifier']; // 54:53:48:…
    [$key, $iv] = [random_bytes(32), random_bytes(16)];
    $content = openssl_encrypt(json_encode($card, JSON_THROW_ON_ERROR), 'aes-256-cbc', $key, OPENSSL_RAW_DATA, $iv);
    $public = openssl_pkey_get_details(openssl_pkey_get_public($certificate))['key'];
    // openssl_public_encrypt has OAEP with SHA-1 only.
    $oaep = PublicKeyLoader::load($public)->withPadding(RSA::ENCRYPTION_OAEP)->withHash('sha256')->withMGFHash('sha256');

    $sha256 = tlv(0x30, oid('608648016503040201'), tlv(0x05));
    $mgf1 = tlv(0x30, oid('2a864886f70d010108'), $sha256);
    $rsaesOAEP = tlv(0x30, oid('2a864886f70d010107'), tlv(0x30, tlv(0xa0, $sha256), tlv(0xa1, $mgf1)));
    $aes256CBC = tlv(0x30, oid('60864801650304012a'), tlv(0x04, $iv));
    $version = tlv(0x02, "\2"); // of the envelope and of a recipient with a key identifier
    $name = tlv(0x80, hex2bin(str_replace(':', '', $identifier)));
    $recipient = tlv(0x30, $version, $name, $rsaesOAEP, tlv(0x04, $oaep->encrypt($key)));
    $encrypted = tlv(0x30, oid('2a864886f70d010701'), $aes256CBC, tlv(0x80, $content)); // data
    $enveloped = tlv(0x30, $version, tlv(0x31, $recipient), $encrypted);
    return bin2hex(tlv(0x30, oid('2a864886f70d010703'), tlv(0xa0, $enveloped))); // envelopedData
}

/** The proof that the issuer wants it, for one card reference (or, in the life cycle, one token id). */
function authorizationCode(string $subject): string
{
    $header = ['typ' => 'JWT', 'alg' => 'RS256', 'kid' => 'demobank01-auth-1'];
    $claims = ['iss' => ISSUER, 'sub' => $subject, 'aud' => 'APPLE_PAY', 'iat' => time(), 'exp' => time() + CODE_LIFE,
        'jti' => bin2hex(random_bytes(16))];
    $base64url = fn (string $bytes) => rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    $text = $base64url(json_encode($header)) . '.' . $base64url(json_encode($claims));
    $key = openssl_pkey_get_private(file_get_contents(KEYS . '/issuers/' . ISSUER . '/authorization.key.pem'));
    openssl_sign($text, $signature, $key, OPENSSL_ALGO_SHA256);
    return $text . '.' . $base64url($signature);
}

/** Gives the wallet's answer: decision, token id and pass. */
function push(string $scheme): array
{
    [$network, $pan] = CARDS[$scheme];
    $reference = 'push-' . strtolower($scheme);
    $card = ['issuerCardRefId' => $reference, 'fpan' => $pan, 'exp' => '1230', 'cardHolderName' => 'ANA PRUEBA'];
    $phone = api('/wallet/apple/devices', ['kind' => 'phone'])['deviceId'];
    $session = api("/wallet/apple/devices/$phone/provisioning-sessions", [
        'paymentNetwork' => $network,
        'cardholderName' => $card['cardHolderName'],
        'primaryAccountSuffix' => substr($pan, -4),
        'application' => APPLICATION,
    ]);
    $triple = api('/mg/tpc/' . ISSUER . '/generateAddPaymentPassRequest', [
        'scheme' => $scheme,
        'encryptedPayload' => seal($card),
        'authorizationCode' => authorizationCode($reference),
        'certificateChain' => $session['certificates'],
        'nonce' => $session['nonce'],
        'nonceSignature' => $session['nonceSignature'],
    ]);
    return api("/wallet/apple/provisioning-sessions/{$session['sessionId']}/pass", $triple);
}

try {
    $scheme = environment('SCHEME', 'VISA');
    $made = push($scheme);
    $token = call('GET', CONTROL . "/v1/tokens/{$made['tokenId']}");
    echo "$scheme: {$made['decision']}, token {$token['tokenId']} is {$token['state']}\n";
} catch (Refused $refusal) {
    fwrite(STDERR, "refused: {$refusal->getMessage()}\n");
    exit(1);
}

<?php
// Receives webhooks with plain PHP 8: SECRET=whsec_… php -S 127.0.0.1:9000 receive-webhooks.php

const TOLERANCE_SECONDS = 300;

/**
 * The event as an array, or null when the signature is wrong or older than five minutes. `$headers` has names in lower
 * case. `$body` is the text as it arrived: JSON that was parsed and printed again has other bytes.
 */
function verify(string $secret, array $headers, string $body, ?int $now = null): ?array
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(($now ?? time()) - (int) $timestamp) > TOLERANCE_SECONDS) {
        return null;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    if ($key === '') {
        return null; // Anybody can sign with an empty key.
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        // hash_equals takes as long for a wrong first byte as for a wrong last one.
        if (hash_equals($expected, $signature)) {
            return json_decode($body, true);
        }
    }
    return null;
}

$event = verify((string) getenv('SECRET'), array_change_key_case(getallheaders()), file_get_contents('php://input'));
if ($event === null) {
    http_response_code(401);
    error_log('Refused: the signature is wrong or too old, or the variable SECRET is missing.');
} else {
    // Store the event here, with its id: the same message may arrive twice. Work on it after the answer.
    http_response_code(200);
    error_log("{$event['event']} {$event['id']}");
}

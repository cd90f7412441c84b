<?php
// Books once and reads a feed: API=… KEY=… WEBHOOK=… SECRET=whsec_… BOOKING='{"serviceId": …}' ONCE=… php integrate.php

/** Waits as `Retry-After` says, and sends again what was not answered. */
function call(string $method, string $path, ?string $body = null, array $headers = []): array
{
    $headers = ['X-API-Key: ' . getenv('KEY'), 'Content-Type: application/json', ...$headers];
    for ($attempt = 0; $attempt < 5; $attempt++) {
        $http = ['method' => $method, 'header' => $headers, 'content' => $body ?? '', 'timeout' => 20, 'ignore_errors' => true];
        $stream = @fopen(getenv('API') . $path, 'r', false, stream_context_create(['http' => $http]));
        $wait = 2 ** $attempt;
        if ($stream !== false) {
            $answer = (string) stream_get_contents($stream);
            $lines = stream_get_meta_data($stream)['wrapper_data'];
            $status = (int) explode(' ', $lines[0])[1];
            $data = json_decode($answer, true);
            if ($status < 300 && is_array($data)) return $data;
            if ($status < 300 && str_starts_with($answer, '<')) stop('The response is not JSON. Is API the base URL of the API?');
            $waits = array_values(array_filter($lines, fn($line) => stripos($line, 'Retry-After:') === 0));
            if ($waits !== []) $wait = (float) substr($waits[0], strlen('Retry-After:'));
            elseif ($status >= 400 && $status < 500 && $status !== 429) stop($answer);
        }
        usleep((int) ($wait * 1_000_000));
    }
    stop('There is no answer.');
}

function stop(string $why): never
{
    fwrite(STDERR, "$why\n");
    exit(1);
}

/** The signature covers the id, the time and the text as it came. */
function isGenuine(array $headers, string $body): bool
{
    $signed = "{$headers['webhook-id']}.{$headers['webhook-timestamp']}.$body";
    $key = base64_decode(substr(getenv('SECRET'), strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    $matching = array_filter(explode(' ', $headers['webhook-signature']), fn($one) => hash_equals($expected, $one));
    return $matching !== [] && abs(time() - (int) $headers['webhook-timestamp']) < 300;
}

$booking = call('POST', '/bookings', getenv('BOOKING'), ['Idempotency-Key: ' . getenv('ONCE')]);
echo "booked {$booking['id']}\n";
$after = getenv('AFTER') ?: 0;
do {
    $page = call('GET', '/webhooks/' . getenv('WEBHOOK') . "/feed?after=$after");
    foreach ($page['data'] as $message) {
        $number = $message['number'];
        if (!isGenuine($message['headers'], $message['body'])) {
            stop("Message $number has a wrong signature. Correct SECRET, and continue with AFTER=$after.");
        }
        $after = $number;
        echo json_decode($message['body'], true)['event'], " $after\n";
    }
    $after = $page['next'];
} while ($page['hasMore']);
echo "next $after\n";

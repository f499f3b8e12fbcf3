<?php
// Sends a POST that is done once, however often it is repeated.
//
// HUB=https://hub.example KEY=... php send.php PATH IDEMPOTENCY_KEY < body.json

declare(strict_types=1);

// Repeats the call until its answer is final. Store the idempotency key before you send.
function send(string $url, string $key, string $body, string $idempotencyKey): array
{
    for ($pause = 1;; $pause = min(2 * $pause, 60)) {
        $curl = curl_init($url);
        curl_setopt_array($curl, [
            CURLOPT_POSTFIELDS => $body,
            CURLOPT_HTTPHEADER => [
                "Authorization: Bearer $key",
                'Content-Type: application/json',
                "Idempotency-Key: $idempotencyKey",
            ],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 60,
        ]);
        // Without an answer nobody knows whether the call was done.
        $text = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $isInUse = $status === 409 && str_contains((string) $text, 'IDEMPOTENCY_KEY_IN_USE');
        if ($text !== false && !in_array($status, [408, 429]) && $status < 500 && !$isInUse) {
            return [$status, $text];
        }
        sleep(max(0, curl_getinfo($curl, CURLINFO_RETRY_AFTER)) ?: $pause);
    }
}

if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    $body = file_get_contents('php://stdin');
    [$status, $text] = send(getenv('HUB') . $argv[1], getenv('KEY'), $body, $argv[2]);
    echo $text;
    exit($status < 300 ? 0 : 1);
}

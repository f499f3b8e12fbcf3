<?php
// Erases a person, and writes what was stored of them to standard output.
//
// HUB=https://hub.example KEY=... php erase.php EMAIL > known.json

declare(strict_types=1);

function call(string $path, ?array $body = null): string
{
    $curl = curl_init(getenv('HUB') . $path);
    curl_setopt_array($curl, [
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('KEY'), 'Content-Type: application/json'],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 60,
    ] + ($body === null ? [] : [CURLOPT_POSTFIELDS => json_encode($body)]));
    $text = curl_exec($curl);
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($text === false || $status >= 300) {
        throw new RuntimeException("$path was answered with $status");
    }
    return $text;
}

// Returns what was stored; null if no contact has the email. With `block` the email cannot come back.
function erase(string $email): ?string
{
    $found = json_decode(call('/api/public/v1/contacts/lookup', ['emails' => [$email]]), true);
    foreach ($found['data'] as $contact) {
        $path = "/api/manage/v1/contacts/{$contact['id']}";
        $known = call("$path/everything");
        call("$path/erase", ['block' => true]);
        return $known;
    }
    return null;
}

if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    $known = erase($argv[1]);
    echo $known;
    exit($known === null ? 1 : 0);
}

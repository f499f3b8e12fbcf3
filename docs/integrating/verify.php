<?php
// Whether a webhook is from Contact Hub and unchanged.
//
// WEBHOOK_SECRET=... php verify.php SIGNATURE [PREVIOUS] < body

declare(strict_types=1);

// $body is the raw body, file_get_contents('php://input') in a web server; $signatures are the values of
// Service-Signature and Service-Signature-Previous.
function verify(string $secret, string $body, string ...$signatures): bool
{
    if (strlen($secret) < 16) {
        return false; // Without a secret, anybody could sign.
    }
    $expected = hash_hmac('sha256', $body, $secret);
    foreach ($signatures as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    $body = file_get_contents('php://stdin');
    exit(verify((string) getenv('WEBHOOK_SECRET'), $body, ...array_slice($argv, 1)) ? 0 : 1);
}

<?php
// Exports all contacts, each once, also when connections break off.
//
// HUB=https://hub.example KEY=... php export.php > contacts.ndjson

declare(strict_types=1);

// Calls a function with each line: a contact and its values. Filters, sorts and search can be added to the address.
function export(string $hub, string $key, callable $each): void
{
    $after = '';
    do {
        $rest = '';
        $curl = curl_init("$hub/api/public/v1/contacts/export?page[after]=$after");
        curl_setopt_array($curl, [
            CURLOPT_HTTPHEADER => ["Authorization: Bearer $key"],
            CURLOPT_FAILONERROR => true,
            CURLOPT_LOW_SPEED_LIMIT => 1,
            CURLOPT_LOW_SPEED_TIME => 60,
            CURLOPT_WRITEFUNCTION => function ($curl, string $text) use (&$rest, &$after, $each): int {
                $lines = explode("\n", $rest . $text);
                $rest = array_pop($lines);
                foreach ($lines as $line) {
                    $after = json_decode($line, true, flags: JSON_THROW_ON_ERROR)['_cursor'];
                    $each($line);
                }
                return strlen($text);
            },
        ]);
        $isWhole = curl_exec($curl) && $rest === '';
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if ($status >= 400 && $status < 500 && $status !== 429) {
            throw new RuntimeException("the export was answered with $status");
        }
        if (!$isWhole) {
            sleep(max(0, curl_getinfo($curl, CURLINFO_RETRY_AFTER)) ?: 1); // It goes on after the last whole line.
        }
    } while (!$isWhole);
}

if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    export(getenv('HUB'), getenv('KEY'), function (string $line): void {
        echo $line, "\n";
    });
}

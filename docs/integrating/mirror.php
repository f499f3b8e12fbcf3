<?php
// Keeps a copy of the contacts in a file. Run it again and again; when it fails, the next run goes on.
//
// HUB=https://hub.example KEY=... php mirror.php copy.json

declare(strict_types=1);

function call(string $path, ?array $body = null): array
{
    $curl = curl_init(getenv('HUB') . $path);
    curl_setopt_array($curl, [
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('KEY'), 'Content-Type: application/json'],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 60,
    ] + ($body === null ? [] : [CURLOPT_POSTFIELDS => json_encode($body)]));
    $text = curl_exec($curl);
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($text === false || $status !== 200) {
        throw new RuntimeException("$path was answered with $status", $status);
    }
    return json_decode($text, true);
}

function changes(string $after): array
{
    return call("/api/manage/v1/changes?page[size]=1000&after=$after");
}

// The cursor must be from before the contacts are read.
function firstCopy(): array
{
    $cursor = changes('latest')['meta']['next'];
    $contacts = [];
    for ($after = ''; $after !== null; $after = $part['meta']['next']) {
        $part = call("/api/public/v1/contacts?include=field_values&page[size]=100&page[after]=$after");
        $contacts = array_column($part['data'], null, 'id') + $contacts;
    }
    return ['cursor' => $cursor, 'contacts' => $contacts];
}

// Applies all changes since the last run.
function follow(array $copy): array
{
    do {
        $page = changes($copy['cursor']);
        $isContact = fn (array $entry): bool => str_starts_with($entry['type'], 'contact.');
        $ids = array_column(array_filter($page['data'], $isContact), 'object_id');
        if ($ids) {
            $ids = array_values(array_unique($ids));
            $found = call('/api/public/v1/contacts/lookup', ['ids' => $ids]);
            $copy['contacts'] = array_column($found['data'], null, 'id') + $copy['contacts'];
            foreach ($found['meta']['missing'] as $id) {
                unset($copy['contacts'][$id]);
            }
        }
        $copy['cursor'] = $page['meta']['next'];
    } while ($page['data']);
    return $copy;
}

$file = $argv[1];
$copy = is_file($file) ? json_decode(file_get_contents($file), true) : firstCopy();
try {
    $copy = follow($copy);
} catch (RuntimeException $error) {
    if ($error->getCode() !== 410) {
        throw $error;
    }
    $copy = follow(firstCopy()); // The cursor has expired.
}
file_put_contents("$file.new", json_encode($copy));
rename("$file.new", $file);

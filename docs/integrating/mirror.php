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
    // Numbers become texts, because a float would lose digits. The first alternative skips the texts of the JSON.
    $text = preg_replace('/"(?:[^"\\\\]|\\\\.)*+"(*SKIP)(*FAIL)|-?\d[\d.eE+-]*/', '"$0"', $text);
    return json_decode($text, true, flags: JSON_THROW_ON_ERROR);
}

function changes(string $after): array
{
    return call("/api/manage/v1/changes?page[size]=1000&after=$after");
}

// The keys of fields never change, unlike their names.
function store(array $copy, array $contacts): array
{
    foreach ($contacts as $contact) {
        $contact['field_values'] = array_column($contact['field_values'], 'value', 'key');
        $copy['contacts'][$contact['id']] = $contact;
    }
    return $copy;
}

// The cursor must be from before the contacts are read.
function firstCopy(): array
{
    $copy = ['cursor' => changes('latest')['meta']['next'], 'contacts' => []];
    for ($after = ''; $after !== null; $after = $part['meta']['next']) {
        $part = call("/api/public/v1/contacts?include=field_values&page[size]=100&page[after]=$after");
        $copy = store($copy, $part['data']);
    }
    return $copy;
}

// Stores contacts as they are now. If their values are too many for one call, each half is looked up.
function lookUp(array $copy, array $ids): array
{
    try {
        $found = call('/api/public/v1/contacts/lookup', ['ids' => $ids]);
    } catch (RuntimeException $error) {
        if ($error->getCode() !== 422 || count($ids) === 1) {
            throw $error;
        }
        foreach (array_chunk($ids, intdiv(count($ids) + 1, 2)) as $half) {
            $copy = lookUp($copy, $half);
        }
        return $copy;
    }
    foreach ($found['meta']['missing'] as $id) {
        unset($copy['contacts'][$id]);
    }
    return store($copy, $found['data']);
}

// Applies all changes since the last run.
function follow(array $copy): array
{
    do {
        $page = changes($copy['cursor']);
        $isContact = fn (array $entry): bool => str_starts_with($entry['type'], 'contact.');
        $ids = array_column(array_filter($page['data'], $isContact), 'object_id');
        if ($ids) {
            $copy = lookUp($copy, array_values(array_unique($ids)));
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
// Every array of the copy has keys, also one that is empty.
file_put_contents("$file.new", json_encode($copy, JSON_FORCE_OBJECT | JSON_THROW_ON_ERROR));
rename("$file.new", $file);

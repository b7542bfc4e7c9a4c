<?php
$folder = $argv[1] ?? '.';
$read = fn (string $name) => json_decode(file_get_contents("$folder/$name.json"), true, flags: JSON_THROW_ON_ERROR);
$wrong = 0;
$check = function (string $about, bool $right) use (&$wrong): void {
    if (!$right) {
        $wrong++;
        fwrite(STDERR, "wrong: $about\n");
    }
};

$file = $read('control');
foreach ($file['vectors'] as $vector) {
    $text = implode('', $vector['values']) . $file['controlKey'];
    $check($vector['about'], $text === $vector['text'] && sha1($text) === $vector['control']);
}

$file = $read('oauth');
foreach ($file['vectors'] as $vector) {
    $url = parse_url($vector['url']);
    $scheme = strtolower($url['scheme']);
    $port = $url['port'] ?? null;
    $isDefault = $port === null || $port === ['http' => 80, 'https' => 443][$scheme];
    $base = $scheme . '://' . strtolower($url['host']) . ($isDefault ? '' : ":$port") . $url['path'];
    $parameters = $vector['parameters'];
    foreach (array_filter(explode('&', $url['query'] ?? '')) as $part) {
        $parameters[] = array_map('urldecode', explode('=', $part, 2));
    }
    $parameters[] = ['oauth_consumer_key', $file['login']];
    $parameters[] = ['oauth_nonce', $vector['nonce']];
    $parameters[] = ['oauth_signature_method', $vector['signatureMethod']];
    $parameters[] = ['oauth_timestamp', $vector['timestamp']];
    $parameters[] = ['oauth_version', '1.0'];
    $pairs = array_map(fn ($pair) => array_map('rawurlencode', $pair), $parameters);
    usort($pairs, fn ($one, $other) => strcmp($one[0], $other[0]) ?: strcmp($one[1], $other[1]));
    $joined = implode('&', array_map(fn ($pair) => "$pair[0]=$pair[1]", $pairs));
    $baseString = implode('&', ['POST', rawurlencode($base), rawurlencode($joined)]);
    if ($vector['signatureMethod'] === 'HMAC-SHA1') {
        $signature = hash_hmac('sha1', $baseString, rawurlencode($file['controlKey']) . '&', true);
    } else {
        openssl_sign($baseString, $signature, $file['privateKey'], OPENSSL_ALGO_SHA256);
    }
    $check($vector['about'], $baseString === $vector['baseString'] && base64_encode($signature) === $vector['signature']);
}

$file = $read('callbacks');
$secret = hash_hmac('sha256', 'pay/webhook/v1', $file['controlKey'], true);
foreach ($file['vectors'] as $vector) {
    parse_str($vector['query'], $fields);
    $headers = $vector['headers'];
    $control = sha1($fields['status'] . $fields['orderid'] . $fields['client_orderid'] . $file['controlKey']);
    $content = "{$headers['webhook-id']}.{$headers['webhook-timestamp']}.{$vector['query']}";
    $signature = 'v1,' . base64_encode(hash_hmac('sha256', $content, $secret, true));
    $age = abs($vector['nowSeconds'] - (int) $headers['webhook-timestamp']);
    $valid = hash_equals($control, $fields['control'] ?? '')
        && in_array($signature, explode(' ', $headers['webhook-signature']), true)
        && $age <= $vector['toleranceSeconds'];
    $check($vector['about'], $valid === $vector['valid']);
}
exit($wrong === 0 ? 0 : 1);

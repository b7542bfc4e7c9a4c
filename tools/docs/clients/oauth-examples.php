<?php
// Drives the OAuth library of the public examples of version 4: FOLDER HOST LOGIN KEY ENDPOINT ENDPOINT_3DS KEY_FILE.
// Prints a line for each promise: `ok` or `FAILED`, a tab, and what was tried. NODE_EXTRA_CA_CERTS names the trusted certificate.
[, $folder, $host, $login, , $endpoint, , $keyFile] = $argv;
error_reporting(E_ALL & ~E_DEPRECATED & ~E_WARNING);
require_once "$folder/tmhOAuth.php";

function attempt(string $what, callable $try): void
{
    try {
        $problem = $try();
    } catch (Throwable $e) {
        $problem = get_class($e) . ': ' . $e->getMessage();
    }
    echo $problem === null ? "ok\t$what\n" : "FAILED\t$what\t" . preg_replace('/\s+/', ' ', $problem) . "\n";
}

$send = function (string $operation, array $fields) use ($host, $login, $endpoint, $keyFile) {
    $oauth = new tmhOAuth();
    $oauth->reconfigure([
        'consumer_key' => $login, 'oauth_signature_method' => 'RSA-SHA256', 'private_key_pem' => file_get_contents($keyFile),
        'curl_cainfo' => getenv('NODE_EXTRA_CA_CERTS'), 'curl_capath' => false,
    ]);
    $status = $oauth->request('POST', "https://$host/paynet/api/v4/$operation/$endpoint", $fields);
    $body = json_decode($oauth->response['response'] ?? '', true);
    return $status === 200 && $body['type'] === 'async-response' ? null : "$status " . $oauth->response['response'];
};
$payout = fn () => ['client-order-id' => 'v4-' . uniqid(), 'amount' => '100', 'currency' => 'USD', 'order_desc' => 'Withdrawal'];
attempt('payout to a card', fn () => $send('payout', $payout() + [
    'credit_card_number' => '4444333322221111', 'expire_month' => '12', 'expire_year' => '2030', 'card_printed_name' => 'John Doe',
]));
attempt('payout to a bank account', fn () => $send('payout', $payout() + [
    'account_number' => '123412341234', 'bank_name' => 'A bank', 'bank_branch' => 'A branch', 'bank_province' => 'A province',
    'bank_city' => 'A city',
]));
attempt('transfer to a card from the balance', fn () => $send('transfer', $payout() + [
    'deposit2card' => 'true', 'destination-card-no' => '4444333322221111', 'ipaddress' => '65.153.12.232',
]));

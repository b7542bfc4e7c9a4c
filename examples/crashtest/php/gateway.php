<?php
/** The gateway's interface, as its documentation describes it: signed requests, and callbacks with a signature. */
declare(strict_types=1);
ini_set('zend.exception_ignore_args', '1'); // No card data in the traces of a log.

/** Returns the gateway's answer, or nothing: then the outcome is unknown, which is not a failure. */
function post(string $operation, #[SensitiveParameter] array $fields, string ...$signed): array
{
    $fields['control'] = sha1(implode('', $signed) . getenv('PAY_CONTROL_KEY'));
    $curl = curl_init(getenv('PAY_BASE_URL') . "/api/v2/$operation/" . getenv('PAY_ENDPOINT_ID'));
    $headers = ['Accept: application/vnd.pay+json'];
    if ($operation === 'return') $headers[] = "Idempotency-Key: refund-{$fields['client_orderid']}"; // A repeat is the same refund.
    curl_setopt_array($curl, [CURLOPT_POSTFIELDS => http_build_query($fields), CURLOPT_HTTPHEADER => $headers,
        CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT_MS => 1000 * (int) (getenv('SHOP_TIMEOUT_SECONDS') ?: 5)]);
    $body = curl_exec($curl);
    $answer = is_string($body) ? json_decode($body, true) : null;
    return is_array($answer) ? $answer : [];
}

/** Returns the order that a genuine callback is about, null for a forged one. Only the fields that are signed are read. */
function clientOrderIdOf(array $query): ?string
{
    $text = fn ($field) => is_string($query[$field] ?? null) ? $query[$field] : '';
    $signed = $text('status') . $text('orderid') . $text('client_orderid') . getenv('PAY_CONTROL_KEY');
    return hash_equals(sha1($signed), $text('control')) ? $text('client_orderid') : null;
}

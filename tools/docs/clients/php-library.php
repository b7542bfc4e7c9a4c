<?php
// Drives the public PHP library, or the copy of it in a module, against a gateway: CODE BASE_URL LOGIN KEY ENDPOINT ENDPOINT_3DS.
// Prints a line for each promise: `ok` or `FAILED`, a tab, and what was tried.
[, $code, $baseUrl, $login, $key, $endpoint, $endpoint3ds] = $argv;
error_reporting(E_ALL & ~E_DEPRECATED);
spl_autoload_register(function ($class) use ($code) {
    $file = "$code/" . str_replace('\\', '/', $class) . '.php';
    if (is_file($file)) require_once $file;
});

use PaynetEasy\PaynetEasyApi\PaymentData\BillingAddress;
use PaynetEasy\PaynetEasyApi\PaymentData\CreditCard;
use PaynetEasy\PaynetEasyApi\PaymentData\Customer;
use PaynetEasy\PaynetEasyApi\PaymentData\Payment;
use PaynetEasy\PaynetEasyApi\PaymentData\PaymentTransaction;
use PaynetEasy\PaynetEasyApi\PaymentData\QueryConfig;
use PaynetEasy\PaynetEasyApi\PaymentProcessor;

function attempt(string $what, callable $try): void
{
    try {
        $problem = $try();
    } catch (Throwable $e) {
        $problem = get_class($e) . ': ' . $e->getMessage();
    }
    echo $problem === null ? "ok\t$what\n" : "FAILED\t$what\t" . preg_replace('/\s+/', ' ', $problem) . "\n";
}

function same($expected, $actual): ?string
{
    return $expected === $actual ? null : var_export($actual, true) . ' instead of ' . var_export($expected, true);
}

$transaction = function (string $endpoint, string $cvv2 = '123') use ($baseUrl, $login, $key) {
    return new PaymentTransaction([
        'payment' => new Payment([
            'client_id' => 'php-' . bin2hex(random_bytes(5)),
            'description' => 'A payment of the PHP library',
            'amount' => 9.99,
            'currency' => 'USD',
            'customer' => new Customer(['email' => 'vass.pupkin@example.com', 'ip_address' => '127.0.0.1']),
            'billing_address' => new BillingAddress([
                'country' => 'US', 'state' => 'TX', 'city' => 'Houston',
                'first_line' => '2704 Colonial Drive', 'zip_code' => '77002', 'phone' => '660-485-6353',
            ]),
            'credit_card' => new CreditCard([
                'card_printed_name' => 'Vasya Pupkin', 'credit_card_number' => '4444 5555 6666 1111',
                'expire_month' => '12', 'expire_year' => '30', 'cvv2' => $cvv2,
            ]),
        ]),
        'query_config' => new QueryConfig([
            'end_point' => (int) $endpoint, 'login' => $login, 'signing_key' => $key,
            'redirect_url' => 'https://shop.example/back', 'callback_url' => 'https://shop.example/callback',
            'site_url' => 'https://shop.example', 'gateway_mode' => QueryConfig::GATEWAY_MODE_SANDBOX,
            'gateway_url_sandbox' => $baseUrl, 'gateway_url_production' => $baseUrl,
        ]),
    ]);
};

// A further transaction about the same payment.
$follows = fn (PaymentTransaction $t) => new PaymentTransaction(['payment' => $t->getPayment(), 'query_config' => $t->getQueryConfig()]);

// Calls that show a page or wait are answered by the caller's browser: here nothing has to be done.
$processor = new PaymentProcessor([
    PaymentProcessor::HANDLER_CATCH_EXCEPTION => function (Exception $e) { throw $e; },
    PaymentProcessor::HANDLER_STATUS_UPDATE => function () {},
    PaymentProcessor::HANDLER_SHOW_HTML => function () {},
    PaymentProcessor::HANDLER_REDIRECT => function () {},
    PaymentProcessor::HANDLER_FINISH_PROCESSING => function () {},
]);

$until = function (PaymentTransaction $t) use ($processor) {
    for ($i = 0; $i < 50 && $t->isProcessing(); $i++) {
        $processor->executeQuery('status', $t);
        if ($t->isProcessing()) usleep(100000);
    }
    return $t->getStatus();
};

attempt('sync-account-verification of a good card', function () use ($processor, $transaction, $endpoint) {
    $t = $transaction($endpoint);
    $processor->executeQuery('sync-account-verification', $t);
    $card = $t->getPayment()->getRecurrentCardFrom();
    return same('approved', $t->getStatus()) ?? ($card->getPaynetId() > 0 && $card->getCardHashId() > 0 ? null : 'no card');
});
attempt('account-verification, where the gateway runs 3-D Secure', function () use ($processor, $transaction, $endpoint3ds) {
    $t = $transaction($endpoint3ds);
    $processor->executeQuery('account-verification', $t);
    return same('processing', $t->getStatus());
});
$sale = $transaction($endpoint);
attempt('sale and status', function () use ($processor, $sale, $until) {
    $processor->executeQuery('sale', $sale);
    return same('approved', $until($sale));
});
attempt('create-card-ref, get-card-info and a rebill', function () use ($processor, $sale, $transaction, $endpoint, $until) {
    $processor->executeQuery('create-card-ref', $sale);
    $again = $transaction($endpoint);
    $again->getPayment()->setRecurrentCardFrom($sale->getPayment()->getRecurrentCardFrom());
    $processor->executeQuery('get-card-info', $again);
    $processor->executeQuery('make-rebill', $again);
    return same('approved', $until($again));
});
attempt('return of the whole sale', function () use ($processor, $sale, $until, $follows) {
    $sale->getPayment()->setComment('The customer changed his mind');
    $return = $follows($sale);
    $processor->executeQuery('return', $return);
    return same('approved', $until($return));
});
attempt('preauth and capture', function () use ($processor, $transaction, $endpoint, $until, $follows) {
    $t = $transaction($endpoint);
    $processor->executeQuery('preauth', $t);
    $until($t);
    $capture = $follows($t);
    $processor->executeQuery('capture', $capture);
    return same('approved', $until($capture));
});
attempt('a declined sale', function () use ($processor, $transaction, $endpoint, $until) {
    $t = $transaction($endpoint, '116');
    $processor->executeQuery('sale', $t);
    return same('declined', $until($t));
});
attempt('sale-form', function () use ($processor, $transaction, $endpoint) {
    $t = $transaction($endpoint);
    $response = $processor->executeQuery('sale-form', $t);
    return $response->hasRedirectUrl() ? null : 'no redirect-url';
});

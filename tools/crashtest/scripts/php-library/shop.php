<?php
/**
 * A shop on the public PHP library of the protocol, as its documentation shows it, with what a careful developer adds: the order is
 * stored before the sale under the name that the gateway gets, one process works on it at a time, and a loop asks about open orders.
 * `PHP_LIBRARY` is the folder of the library's code. Orders and locks are those of the example in PHP.
 */
declare(strict_types=1);
error_reporting(E_ALL & ~E_DEPRECATED);
ini_set('zend.exception_ignore_args', '1');
require __DIR__ . '/../../../../examples/crashtest/php/orders.php';
spl_autoload_register(function (string $class) {
    $file = getenv('PHP_LIBRARY') . '/' . str_replace('\\', '/', $class) . '.php';
    if (is_file($file)) require_once $file;
});

use PaynetEasy\PaynetEasyApi\PaymentData\BillingAddress;
use PaynetEasy\PaynetEasyApi\PaymentData\CreditCard;
use PaynetEasy\PaynetEasyApi\PaymentData\Customer;
use PaynetEasy\PaynetEasyApi\PaymentData\Payment;
use PaynetEasy\PaynetEasyApi\PaymentData\PaymentTransaction;
use PaynetEasy\PaynetEasyApi\PaymentData\QueryConfig;
use PaynetEasy\PaynetEasyApi\PaymentProcessor;
use PaynetEasy\PaynetEasyApi\Transport\CallbackResponse;
use PaynetEasy\PaynetEasyApi\Transport\Response;

function transaction(array $order, #[SensitiveParameter] ?CreditCard $card = null): PaymentTransaction
{
    $url = getenv('PAY_BASE_URL') . '/api/v2/';
    return new PaymentTransaction([
        'payment' => new Payment([
            'client_id' => $order['name'], 'description' => 'Two tickets', 'amount' => $order['amount'], 'currency' => 'USD',
            'comment' => 'Returned',
            'customer' => new Customer(['email' => 'ada@example.com', 'ip_address' => '203.0.113.7']),
            'billing_address' => new BillingAddress(['country' => 'US', 'state' => 'CA', 'city' => 'Los Angeles',
                'first_line' => '1 Main Street', 'zip_code' => '90001', 'phone' => '660-485-6353']),
            ...($card === null ? [] : ['credit_card' => $card]),
            ...($order['gateway_id'] === null ? [] : ['paynet_id' => $order['gateway_id']]),
            ...($order['state'] === 'paid' ? ['status' => Payment::STATUS_CAPTURE] : []),
        ]),
        'query_config' => new QueryConfig([
            'end_point' => (int) getenv('PAY_ENDPOINT_ID'), 'login' => getenv('PAY_LOGIN'), 'signing_key' => getenv('PAY_CONTROL_KEY'),
            'redirect_url' => getenv('SHOP_URL'), 'callback_url' => getenv('SHOP_URL') . '/callback', 'site_url' => getenv('SHOP_URL'),
            'gateway_mode' => QueryConfig::GATEWAY_MODE_SANDBOX, 'gateway_url_sandbox' => $url, 'gateway_url_production' => $url,
        ]),
    ]);
}

/** Runs a query of the library. Its exceptions are logged, and the order stays as it is: the next query finds out. */
function query(string $query, PaymentTransaction $transaction): ?Response
{
    try {
        return (new PaymentProcessor())->executeQuery($query, $transaction);
    } catch (Exception $error) {
        error_log("$query: {$error->getMessage()}");
        return null;
    }
}

/** Asks for the status, and records it. */
function refresh(array $order): void
{
    if ($order['gateway_id'] === null) return;
    $transaction = transaction($order);
    $response = query('status', $transaction);
    if ($transaction->isApproved()) {
        sql("UPDATE orders SET state = 'paid', shipped = 1 WHERE name = ?", $order['name']);
        if (($response['transaction-type'] ?? '') === 'reversal') sql("UPDATE orders SET refund = 'done' WHERE name = ?", $order['name']);
    } elseif ($transaction->isDeclined()) fail($order['name']);
}

function pursue(string $name, callable $isOpen, callable $send, int $mostMs = 1000): void
{
    for ($ms = 50; $ms < $mostMs && $isOpen($order = order($name)); $ms *= 2) {
        $transaction = $send($order);
        $id = $transaction?->getPayment()->getPaynetId();
        if ($id) sql('UPDATE orders SET gateway_id = ? WHERE name = ?', (string) $id, $name);
        usleep($ms * 1000);
        refresh(order($name));
    }
}

function buy(string $name, #[SensitiveParameter] CreditCard $card): void
{
    pursue($name, fn ($order) => $order['state'] === 'open', function ($order) use ($card) {
        if ($order['gateway_id'] !== null) return null;
        query('sale', $transaction = transaction($order, $card));
        return $transaction;
    });
}

function refund(string $name, int $mostMs = 1000): void
{
    pursue($name, fn ($order) => $order['refund'] === 'asked', function ($order) {
        query('return', $transaction = transaction($order));
        return $transaction;
    }, $mostMs);
}

if (PHP_SAPI === 'cli') {
    $server = proc_open([PHP_BINARY, '-S', '127.0.0.1:' . getenv('PORT'), __FILE__], [], $pipes);
    while (proc_get_status($server)['running']) {
        foreach (sql("SELECT * FROM orders WHERE state = 'open' OR refund = 'asked'") as $order) {
            alone($order['name'], LOCK_EX | LOCK_NB, fn () => $order['refund'] === 'asked' ? refund($order['name'], 100) : refresh($order));
        }
        sleep((int) (getenv('SHOP_POLL_SECONDS') ?: 60));
    }
    exit(1);
}

[, $place, $name, $action] = [...explode('/', parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)), '', '', ''];
if ($place === 'callback') {
    $order = order((string) ($_GET['client_orderid'] ?? '')) ?? exit(http_response_code(404));
    $transaction = transaction([...$order, 'gateway_id' => $order['gateway_id'] ?? $_GET['orderid'] ?? '']);
    try {
        (new PaymentProcessor())->processPaynetEasyCallback(new CallbackResponse($_GET), $transaction);
    } catch (Exception $error) {
        if (!$transaction->isDeclined()) exit(http_response_code(403));
    }
    sql('UPDATE orders SET gateway_id = ? WHERE name = ?', (string) $transaction->getPayment()->getPaynetId(), $order['name']);
    refresh(order($order['name']));
    exit;
}
if ($_SERVER['REQUEST_METHOD'] === 'POST' && $action === '') {
    ['amount' => $amount, 'card' => $card, 'cvv2' => $cvv2, 'expires' => $expires] = json_decode(file_get_contents('php://input'), true);
    sql('INSERT OR IGNORE INTO orders (name, amount, sent) VALUES (?, ?, ?)', $name, $amount, time());
    [$month, $year] = explode('/', $expires);
    alone($name, LOCK_EX, fn () => buy($name, new CreditCard(['card_printed_name' => 'ADA LOVELACE', 'credit_card_number' => $card,
        'expire_month' => $month, 'expire_year' => substr($year, -2), 'cvv2' => $cvv2])));
} elseif ($action === 'refund') {
    sql("UPDATE orders SET refund = 'asked' WHERE name = ? AND state = 'paid' AND refund IS NULL", $name);
    alone($name, LOCK_EX, fn () => refund($name));
}
header('content-type: application/json');
['state' => $state, 'shipped' => $shipped, 'refund' => $refund] = order($name) ?? ['state' => 'new', 'shipped' => 0, 'refund' => null];
echo json_encode(['state' => $state, 'shipped' => $shipped === 1, 'refund' => $refund]), "\n";

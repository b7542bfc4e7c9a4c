<?php
/**
 * A careful shop in one file, with the extensions curl and pdo_sqlite. `php shop.php` serves it on PORT, and asks the gateway about
 * open orders in a loop, as a cron job does in production.
 */
declare(strict_types=1);
require __DIR__ . '/gateway.php';
require __DIR__ . '/orders.php';

/** Asks for the status, which alone decides, and records it. Returns whether the gateway has the order; null if nobody knows. */
function refresh(array $order): ?bool
{
    ['name' => $name, 'amount' => $amount] = $order;
    $login = getenv('PAY_LOGIN');
    $answer = post('status', ['login' => $login, 'client_orderid' => $name], $login, $name);
    if (($answer['error-code'] ?? '') === '54') return false;
    // An answer about another order says nothing about this one.
    if (($answer['merchant-order-id'] ?? '') !== $name || ($answer['amount'] ?? '') !== $amount) return null;
    if ($answer['status'] === 'approved') {
        sql("UPDATE orders SET state = 'paid', shipped = 1, gateway_id = ? WHERE name = ?", $answer['paynet-order-id'], $name);
        if ($answer['returned-amount'] === $amount) sql("UPDATE orders SET refund = 'done' WHERE name = ?", $name);
    } elseif (in_array($answer['status'], ['declined', 'filtered', 'error'], true)) fail($name);
    return true;
}

/** Sends a request, which was recorded before, until the status shows its outcome: for two seconds. The loop below does the rest. */
function pursue(string $name, callable $isOpen, callable $send): void
{
    for ($ms = 50; $ms < 1000 && $isOpen($order = order($name)); $ms *= 2) {
        $send($order, str_replace('.', '', $order['amount']));
        usleep($ms * 1000);
        refresh($order);
    }
}

function buy(string $name, #[SensitiveParameter] array $card): void
{
    pursue($name, fn ($order) => $order['state'] === 'open', function ($order, $cents) use ($card, $name) {
        if (refresh($order) !== false) return;
        // It may arrive later, also after this shop has stopped to wait for its answer.
        sql('UPDATE orders SET sent = ? WHERE name = ?', time(), $name);
        $answer = post('sale', [...$card, 'client_orderid' => $name, 'amount' => $order['amount'], 'currency' => 'USD',
            'order_desc' => 'Two tickets', 'email' => 'ada@example.com', 'address1' => '1 Main Street', 'city' => 'Los Angeles',
            'zip_code' => '90001', 'country' => 'US', 'state' => 'CA', 'ipaddress' => $_SERVER['REMOTE_ADDR'],
            'server_callback_url' => getenv('SHOP_URL') . '/callback'], getenv('PAY_ENDPOINT_ID'), $name, $cents, 'ada@example.com');
        // The request is wrong, such as a card number with a typing error, and the gateway has made no order of it.
        if (($answer['errors'] ?? []) !== [] && ($answer['merchant-order-id'] ?? '') === $name && refresh($order) === false) fail($name);
    });
}

function refund(array $order): void
{
    ['name' => $name, 'amount' => $amount, 'gateway_id' => $id] = $order;
    $login = getenv('PAY_LOGIN');
    post('return', ['login' => $login, 'client_orderid' => $name, 'orderid' => $id, 'amount' => $amount, 'currency' => 'USD',
        'server_callback_url' => getenv('SHOP_URL') . '/callback'], $login, $name, $id, str_replace('.', '', $amount), 'USD');
}

if (PHP_SAPI === 'cli') {
    $server = proc_open([PHP_BINARY, '-S', '127.0.0.1:' . getenv('PORT'), __FILE__], [], $pipes);
    while (proc_get_status($server)['running']) {
        foreach (sql("SELECT name FROM orders WHERE state = 'open' OR refund = 'asked'") as ['name' => $name]) {
            alone($name, LOCK_EX | LOCK_NB, function () use ($name) {
                $order = order($name);
                if ($order['refund'] === 'asked') {
                    refund($order);
                    refresh($order);
                }
                // Asked twice, the gateway has no such order, and nobody tries any more. A later callback would still make it paid.
                elseif ($order['sent'] > time() - (int) (getenv('SHOP_GIVE_UP_SECONDS') ?: 900)) refresh($order);
                elseif (refresh($order) === false && refresh($order) === false) fail($order['name']);
            });
        }
        sleep((int) (getenv('SHOP_POLL_SECONDS') ?: 60));
    }
    exit(1);
}

[, $place, $name, $action] = [...explode('/', parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)), '', '', ''];
if ($place === 'callback') {
    $name = clientOrderIdOf($_GET);
    // After any answer but 200 the gateway calls again. So 200 comes after the status is recorded.
    http_response_code($name === null ? 403 : (($order = order($name)) === null ? 404 : (refresh($order) ? 200 : 503)));
    exit;
}
if ($_SERVER['REQUEST_METHOD'] === 'POST' && $action === '') {
    // The order is stored before anything is sent. A second press, also after a restart, is the same order and the same payment.
    ['amount' => $amount, 'card' => $card, 'cvv2' => $cvv2, 'expires' => $expires] = json_decode(file_get_contents('php://input'), true);
    sql('INSERT OR IGNORE INTO orders (name, amount, sent) VALUES (?, ?, ?)', $name, number_format((float) $amount, 2, '.', ''), time());
    [$month, $year] = explode('/', $expires);
    alone($name, LOCK_EX, fn () => buy($name, ['credit_card_number' => $card, 'cvv2' => $cvv2, 'expire_month' => $month,
        'expire_year' => $year, 'card_printed_name' => 'ADA LOVELACE']));
} elseif ($action === 'refund') {
    sql("UPDATE orders SET refund = 'asked' WHERE name = ? AND state = 'paid' AND refund IS NULL", $name);
    alone($name, LOCK_EX, fn () => pursue($name, fn ($order) => $order['refund'] === 'asked', refund(...)));
}
header('content-type: application/json');
['state' => $state, 'shipped' => $shipped, 'refund' => $refund] = order($name) ?? ['state' => 'new', 'shipped' => 0, 'refund' => null];
echo json_encode(['state' => $state, 'shipped' => $shipped === 1, 'refund' => $refund]), "\n";

<?php
/** A shop with the usual mistakes, for the page "Crash-test your checkout". Do not copy it: shop.php is the careful one. */

$db = new PDO('sqlite:' . (getenv('SHOP_DATABASE') ?: __DIR__ . '/shop.db'));
$db->exec('PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
$db->exec('CREATE TABLE IF NOT EXISTS sales
    (client_orderid TEXT PRIMARY KEY, order_name TEXT, gateway_id TEXT, state TEXT, shipped INTEGER, refunded INTEGER)');

function post($operation, $fields, $signed)
{
    $fields['control'] = sha1(implode('', $signed) . getenv('PAY_CONTROL_KEY'));
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'timeout' => 5,
        'ignore_errors' => true,
        'header' => ['Accept: application/vnd.pay+json', 'Content-Type: application/x-www-form-urlencoded'],
        'content' => http_build_query($fields),
    ]]);
    $url = getenv('PAY_BASE_URL') . "/api/v2/$operation/" . getenv('PAY_ENDPOINT_ID');
    $answer = json_decode((string) @file_get_contents($url, false, $context), true);
    if (!isset($answer['paynet-order-id'])) error_log("$operation failed: " . json_encode($fields));
    return $answer;
}

function sale($db, $name, $order)
{
    for ($attempt = 1; $attempt <= 3; $attempt++) {
        $id = uniqid();
        [$month, $year] = explode('/', $order['expires']);
        $answer = post('sale', [
            'client_orderid' => $id, 'order_desc' => "Order $name", 'amount' => $order['amount'], 'currency' => 'USD',
            'credit_card_number' => $order['card'], 'cvv2' => $order['cvv2'], 'expire_month' => $month, 'expire_year' => $year,
            'card_printed_name' => 'ADA LOVELACE', 'email' => 'ada@example.com', 'address1' => '1 Main Street',
            'city' => 'Los Angeles', 'zip_code' => '90001', 'country' => 'US', 'state' => 'CA', 'ipaddress' => '203.0.113.7',
            'server_callback_url' => getenv('SHOP_URL') . '/callback',
        ], [getenv('PAY_ENDPOINT_ID'), $id, $order['amount'] * 100, 'ada@example.com']);
        if (isset($answer['paynet-order-id'])) {
            $insert = $db->prepare("INSERT INTO sales VALUES (?, ?, ?, 'waiting', 0, 0)");
            $insert->execute([$id, $name, $answer['paynet-order-id']]);
            return waitForCallback($db, $id);
        }
    }
    return 'failed';
}

/** The customer sees how the payment ended. */
function waitForCallback($db, $id)
{
    $find = $db->prepare('SELECT state FROM sales WHERE client_orderid = ?');
    for ($i = 0; $i < 40; $i++) {
        $find->execute([$id]);
        $state = $find->fetchAll(PDO::FETCH_COLUMN)[0];
        if ($state !== 'waiting') return $state;
        usleep(50000);
    }
    return 'waiting';
}

function refund($db, $sale)
{
    $fields = ['login' => getenv('PAY_LOGIN'), 'client_orderid' => $sale['client_orderid'], 'orderid' => $sale['gateway_id']];
    $answer = post('return', $fields, $fields);
    if (!isset($answer['paynet-order-id'])) return 0;
    $db->prepare('UPDATE sales SET refunded = 1 WHERE client_orderid = ?')->execute([$sale['client_orderid']]);
    return 1;
}

$path = explode('/', parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
if ($path[1] === 'callback') {
    $state = $_GET['status'] === 'approved' ? 'paid' : 'failed';
    $update = $db->prepare('UPDATE sales SET state = ?, shipped = ? WHERE client_orderid = ?');
    $update->execute([$state, $state === 'paid' ? 1 : 0, $_GET['client_orderid']]);
    exit('OK');
}

$name = $path[2] ?? '';
$find = $db->prepare('SELECT * FROM sales WHERE order_name = ? ORDER BY state = \'paid\' DESC');
$find->execute([$name]);
$sale = $find->fetchAll(PDO::FETCH_ASSOC)[0] ?? ['state' => 'new', 'shipped' => 0, 'refunded' => 0];
['state' => $state, 'shipped' => $shipped, 'refunded' => $refunded] = $sale;
if ($_SERVER['REQUEST_METHOD'] === 'POST' && ($path[3] ?? '') === 'refund') $refunded = refund($db, $sale);
elseif ($_SERVER['REQUEST_METHOD'] === 'POST' && $state !== 'paid') {
    $state = sale($db, $name, json_decode(file_get_contents('php://input'), true));
}
header('content-type: application/json');
echo json_encode(['state' => $state, 'shipped' => $shipped == 1, 'refund' => $refunded ? 'done' : 'none']), "\n";

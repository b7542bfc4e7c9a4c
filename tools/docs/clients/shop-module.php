<?php
// Drives the library that the public shop modules share (Payneteasy.lib.php): FOLDER URL LOGIN KEY ENDPOINT.
// Prints a line for each promise: `ok` or `FAILED`, a tab, and what was tried.
[, $folder, $url, $login, $key, $endpoint] = $argv;
error_reporting(E_ALL & ~E_DEPRECATED & ~E_WARNING);
ini_set('error_log', '/dev/null');
$source = "$folder/Payneteasy.lib.php";
preg_match('/namespace\s+([\w\\\\]+)/', file_get_contents($source), $match);
foreach (['ABSPATH' => '/', '_PS_VERSION_' => '8'] as $name => $value) defined($name) || define($name, $value);
require_once $source;
$space = isset($match[1]) ? "\\{$match[1]}\\" : '\\';
$settings = ['LIVE_URL' => $url, 'SANDBOX_URL' => $url, 'END_POINT' => $endpoint, 'LOGIN' => $login, 'CONTROL_KEY' => $key];
$config = ["{$space}PneConfig", 'fetchkey_only'](fn ($k) => $settings[$k] ?? '0');
$class = "{$space}PneApi";
$api = new $class($config);

function attempt(string $what, callable $try): void
{
    try {
        $problem = $try();
    } catch (Throwable $e) {
        $problem = get_class($e) . ': ' . $e->getMessage();
    }
    echo $problem === null ? "ok\t$what\n" : "FAILED\t$what\t" . preg_replace('/\s+/', ' ', $problem) . "\n";
}

$id = 'shop-' . bin2hex(random_bytes(5));
$order = [];
attempt('the settings are accepted', function () use ($config, $settings) {
    foreach ($settings as $name => $value)
        if (($error = $config->value_error($name, $value)) !== '') return $error;
    return null;
});
attempt('sale', function () use ($api, $id, &$order) {
    $order = $api->sale([
        'client_orderid' => $id, 'order_desc' => 'An order of a shop', 'amount' => '50.00', 'currency' => 'USD',
        'first_name' => 'John', 'last_name' => 'Smith', 'address1' => '100 Main st', 'city' => 'Seattle', 'zip_code' => '98102',
        'country' => 'US', 'phone' => '+12063582043', 'email' => 'john.smith@gmail.com', 'ssn' => '', 'ipaddress' => '65.153.12.232',
        'credit_card_number' => '4444555566661111', 'card_printed_name' => 'JOHN SMITH', 'expire_month' => '12',
        'expire_year' => '2030', 'cvv2' => '123', 'redirect_url' => 'https://shop.example/back', 'notify_url' => '',
    ]);
    return $order['paynet-order-id'] === (string) (int) $order['paynet-order-id'] && $order['paynet-order-id'] < 2147483647
        ? null : 'the number does not fit the column of the shop';
});
attempt('the first status is final', function () use ($api, $id, &$order) {
    $status = $api->status(['client_orderid' => $id, 'orderid' => $order['paynet-order-id']]);
    $state = "{$status['transaction-type']}/{$status['status']}";
    return $state === 'sale/approved' ? null : $state;
});
attempt('a refund is refused with the reason', function () use ($api, $id, &$order) {
    try {
        $api->return(['client_orderid' => $id, 'orderid' => $order['paynet-order-id'], 'comment' => 'Order cancel ']);
    } catch (Throwable $e) {
        return str_contains($e->getMessage(), 'whatever amount was typed') ? null : $e->getMessage();
    }
    return 'it was accepted';
});

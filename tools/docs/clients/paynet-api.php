<?php
// Drives the class PaynetApi of the modules for OpenCart, Magento and CS-Cart: FOLDER URL LOGIN KEY ENDPOINT.
// Prints a line for each promise: `ok` or `FAILED`, a tab, and what was tried.
[, $folder, $url, $login, $key, $endpoint] = $argv;
error_reporting(E_ALL & ~E_DEPRECATED & ~E_WARNING);
define('BOOTSTRAP', true);
$files = [];
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($folder, FilesystemIterator::SKIP_DOTS)) as $file)
    if ($file->getExtension() === 'php') $files[$file->getBasename('.php')] = $file->getPathname();
spl_autoload_register(function ($class) use ($files) {
    $name = basename(str_replace('\\', '/', $class));
    if (isset($files[$name])) require_once $files[$name];
});
$source = file_get_contents($files['PaynetApi']);
$class = preg_match('/namespace\s+([\w\\\\]+)/', $source, $match) ? "\\{$match[1]}\\PaynetApi" : '\\PaynetApi';
$api = new $class($login, $key, $endpoint, 'inline', 'sandbox');

function attempt(string $what, callable $try): void
{
    try {
        $problem = $try();
    } catch (Throwable $e) {
        $problem = get_class($e) . ': ' . $e->getMessage();
    }
    echo $problem === null ? "ok\t$what\n" : "FAILED\t$what\t" . preg_replace('/\s+/', ' ', $problem) . "\n";
}

$payment = function (string $id) use ($key, $endpoint) {
    $fields = [
        'client_orderid' => $id, 'order_desc' => 'An order of a shop', 'amount' => '50.00', 'currency' => 'USD',
        'address1' => '100 Main st', 'city' => 'Seattle', 'zip_code' => '98102', 'country' => 'US', 'phone' => '+12063582043',
        'email' => 'john.smith@gmail.com', 'ipaddress' => '65.153.12.232', 'cvv2' => '123',
        'credit_card_number' => '4444555566661111', 'card_printed_name' => 'JOHN SMITH', 'expire_month' => '12',
        'expire_year' => '2030', 'first_name' => 'John', 'last_name' => 'Smith',
        'redirect_success_url' => 'https://shop.example/a', 'redirect_fail_url' => 'https://shop.example/b',
        'redirect_url' => 'https://shop.example/back', 'server_callback_url' => 'https://shop.example/callback',
    ];
    return $fields + ['control' => sha1($endpoint . $id . $fields['amount'] * 100 . $fields['email'] . $key)];
};
$id = 'shop-' . bin2hex(random_bytes(5));
$order = [];
attempt('sale', function () use ($api, $payment, $id, $url, $endpoint, &$order) {
    $order = array_map('trim', $api->saleDirect($payment($id), 'inline', 'sandbox', $url, $endpoint));
    return $order['type'] === 'async-response' ? null : $order['error-message'];
});
attempt('the first status is final', function () use ($api, $id, $url, $login, $key, $endpoint, &$order) {
    $fields = ['login' => $login, 'client_orderid' => $id, 'orderid' => $order['paynet-order-id']];
    $fields['control'] = sha1(implode('', $fields) . $key);
    $status = $api->status($fields, 'inline', 'sandbox', $url, $endpoint);
    return trim($status['status']) === 'approved' ? null : http_build_query($status);
});
attempt('sale-form', function () use ($api, $payment, $url, $endpoint) {
    $form = $api->saleForm($payment('form-' . bin2hex(random_bytes(5))), 'form', 'sandbox', $url, $endpoint);
    return filter_var(trim($form['redirect-url'] ?? ''), FILTER_VALIDATE_URL) ? null : http_build_query($form);
});
attempt('a refund is refused with the reason', function () use ($api, $id, $url, $login, $key, $endpoint, &$order) {
    $fields = ['client_orderid' => $id, 'orderid' => $order['paynet-order-id'], 'login' => $login, 'comment' => 'Order cancel '];
    $fields['control'] = sha1($endpoint . $id . '0' . $key);
    $answer = $api->return($fields, 'inline', 'sandbox', $url, $endpoint);
    return str_contains($answer['error-message'] ?? '', 'whatever amount was typed') ? null : http_build_query($answer);
});

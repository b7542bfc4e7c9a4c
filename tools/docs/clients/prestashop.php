<?php
// Drives the code of the PrestaShop module that calls the gateway (payment_aggregate.php), with the classes of PrestaShop that it reads:
// FOLDER URL LOGIN KEY ENDPOINT ENDPOINT_3DS KEY_FILE LIBRARY. LIBRARY is the PHP library, which the module gets from Composer.
// Prints a line for each promise: `ok` or `FAILED`, a tab, and what was tried.
namespace {
    [, $folder, $url, $login, $key, $endpoint, , , $library] = $argv;
    error_reporting(E_ALL & ~E_DEPRECATED);
    const REMOTE = '65.153.12.232';
    $settings = [
        'PAYNETEASY_END_POINT' => $endpoint, 'PAYNETEASY_LOGIN' => $login, 'PAYNETEASY_SIGNING_KEY' => $key,
        'PAYNETEASY_GATEWAY_MODE' => 'sandbox', 'PAYNETEASY_SANDBOX_GATEWAY' => $url, 'PAYNETEASY_PRODUCTION_GATEWAY' => $url,
    ];

    /** What a shop has stored, by its number. */
    abstract class Stored
    {
        public static array $rows = [];

        public function __construct(public readonly int $id)
        {
            foreach (static::class::$rows[static::class][$id] as $name => $value) $this->$name = $value;
        }
    }
    #[AllowDynamicProperties] class Cart extends Stored { public function getOrderTotal() { return 9.99; } }
    #[AllowDynamicProperties] class Address extends Stored {}
    #[AllowDynamicProperties] class State extends Stored {}
    #[AllowDynamicProperties] class Customer extends Stored {}
    #[AllowDynamicProperties] class Shop extends Stored {}
    #[AllowDynamicProperties] class Country extends Stored
    {
        public static function containsStates($id) { return self::$rows['Country'][$id]['contains_states']; }
    }
    #[AllowDynamicProperties] class Currency extends Stored
    {
        public static function getCurrencyInstance($id) { return new Currency($id); }
    }
    class Module { public function l($phrase) { return $phrase; } }
    class Configuration { public static function get($name) { return $GLOBALS['settings'][$name]; } }
    class Validate
    {
        public static function isUrl($text) { return (bool) preg_match('/^[~:#,$%&_=\(\)\.\? \+\-@\/a-zA-Z0-9]+$/', (string) $text); }
        public static function isPhoneNumber($text) { return (bool) preg_match('/^[+0-9. ()\/-]*$/', (string) $text); }
    }
    class Tools
    {
        public static function getIsset($name) { return isset($_REQUEST[$name]); }
        public static function getValue($name) { return $_REQUEST[$name] ?? false; }
        public static function getRemoteAddr() { return REMOTE; }
    }

    Stored::$rows = [
        'Shop' => [1 => ['name' => 'Café Zürich']],
        'Currency' => [1 => ['iso_code' => 'USD']],
        'Customer' => [1 => ['email' => 'john.smith@gmail.com', 'firstname' => 'John', 'lastname' => 'Smith']],
        'State' => [1 => ['iso_code' => 'TX']],
        'Country' => [
            1 => ['iso_code' => 'US', 'contains_states' => true],
            2 => ['iso_code' => 'DE', 'contains_states' => false],
        ],
        'Address' => [
            1 => ['id_country' => 1, 'id_state' => 1, 'city' => 'Houston', 'address1' => '2704 Colonial Drive', 'postcode' => '77002',
                'phone' => '660-485-6353', 'phone_mobile' => ''],
            2 => ['id_country' => 2, 'id_state' => 0, 'city' => 'München', 'address1' => 'Leopoldstraße 1', 'postcode' => '80802',
                'phone' => '+49 89 1234567', 'phone_mobile' => '+49 170 1234567'],
        ],
        'Cart' => [],
    ];
    foreach ([101 => 1, 102 => 2] as $id => $address)
        Stored::$rows['Cart'][$id] = ['id_currency' => 1, 'id_address_invoice' => $address, 'id_customer' => 1, 'id_shop' => 1];

    spl_autoload_register(function ($class) use ($library) {
        $file = "$library/" . str_replace('\\', '/', $class) . '.php';
        if (is_file($file)) require_once $file;
    });
    // The module requires the file of Composer, which a clone does not have.
    eval(str_replace("require_once __DIR__ . '/vendor/autoload.php';", '', substr(file_get_contents("$folder/payment_aggregate.php"), 5)));
    $aggregate = new \PaynetEasy\PaymentAggregate(new Module);

    function attempt(string $what, callable $try): void
    {
        try {
            $problem = $try();
        } catch (Throwable $e) {
            $problem = get_class($e) . ': ' . $e->getMessage();
        }
        echo $problem === null ? "ok\t$what\n" : "FAILED\t$what\t" . preg_replace('/\s+/', ' ', $problem) . "\n";
    }

    $start = fn (int $cart) => $aggregate->startSale(new Cart($cart), 'https://shop.example/index.php?fc=module&module=payneteasy');
    $form = null;
    foreach ([101 => 'a customer in a country with states', 102 => 'a customer in one without, with letters beyond ASCII'] as $cart => $who)
        attempt("sale-form for $who", function () use ($start, $cart, &$form) {
            $form = $start($cart);
            return filter_var($form->getRedirectUrl(), FILTER_VALIDATE_URL) && (int) $form->getPaymentPaynetId() > 0
                ? null : http_build_query((array) $form);
        });
    attempt('a cart that is started again has the same order', function () use ($start, &$form) {
        $again = $start(102);
        return $again->getPaymentPaynetId() === $form->getPaymentPaynetId() ? null : $again->getPaymentPaynetId();
    });

    /** A customer's browser, which enters a card and returns with the fields of the last page. */
    $browse = function (string $address, ?array $fields = null): string {
        $curl = curl_init($address);
        curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_FOLLOWLOCATION => true]);
        if ($fields !== null) curl_setopt($curl, CURLOPT_POSTFIELDS, http_build_query($fields));
        return curl_exec($curl);
    };
    $pay = function (string $address, string $code) use ($browse): array {
        $page = $browse($address, [
            'attempts' => '0', 'number' => '4444 5555 6666 1111', 'expiry' => '12/30', 'code' => $code, 'holder' => 'JOHN SMITH', 'action' => 'pay',
        ]);
        for ($i = 0; $i < 50 && !str_contains($page, 'id="onward"'); $i++) {
            usleep(100000);
            $page = $browse($address);
        }
        preg_match_all('/<input type="hidden" name="([^"]*)" value="([^"]*)">/', $page, $inputs);
        return array_combine($inputs[1], array_map('html_entity_decode', $inputs[2]));
    };
    $finish = function (array $fields) use ($aggregate) {
        $_REQUEST = $fields;
        return $aggregate->finishSale(new Cart(102), new \PaynetEasy\PaynetEasyApi\Transport\CallbackResponse($fields));
    };
    $returned = [];
    attempt('a paid form returns to the shop as approved', function () use ($pay, $finish, &$form, &$returned) {
        $returned = $pay($form->getRedirectUrl(), '123');
        $response = $finish($returned);
        return $response->isApproved() ? null : $response->getStatus();
    });
    attempt('a return with another order is refused', function () use ($finish, &$returned) {
        if ($returned === []) return 'there was no return';
        try {
            $finish(['client_orderid' => '101'] + $returned);
        } catch (Throwable $e) {
            return str_contains($e->getMessage(), 'control code') ? null : $e->getMessage();
        }
        return 'it was accepted';
    });
}

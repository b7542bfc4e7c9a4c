<?php
/** The orders in SQLite, and a lock for each. */
declare(strict_types=1);

/** Runs a statement, which commits by itself. Returns its rows. */
function sql(string $text, string|int|null ...$values): array
{
    static $db = null;
    if ($db === null) {
        $db = new PDO('sqlite:' . (getenv('SHOP_DATABASE') ?: __DIR__ . '/shop.db'));
        $db->exec('PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL');
        $db->exec("CREATE TABLE IF NOT EXISTS orders (name TEXT PRIMARY KEY, amount TEXT NOT NULL, sent INTEGER NOT NULL,
            state TEXT NOT NULL DEFAULT 'open', gateway_id TEXT, shipped INTEGER NOT NULL DEFAULT 0, refund TEXT)");
    }
    $statement = $db->prepare($text);
    $statement->execute($values);
    return $statement->fetchAll(PDO::FETCH_ASSOC);
}

function order(string $name): ?array
{
    return sql('SELECT * FROM orders WHERE name = ?', $name)[0] ?? null;
}

function fail(string $name): void
{
    sql("UPDATE orders SET state = 'failed' WHERE name = ? AND state = 'open'", $name);
}

/** Does the work while no other process works on the order. The lock ends with its process, also after kill -9. */
function alone(string $name, int $mode, callable $work): void
{
    $lock = fopen(sys_get_temp_dir() . '/shop-' . getenv('PORT') . '-' . crc32($name) % 1000, 'c');
    if (flock($lock, $mode)) $work();
    fclose($lock);
}

/**
 * Programs that verify a received callback: `control` over its fields, and the three headers of Standard Webhooks over its query.
 * Each program takes the query and the headers as arguments. Its exit code is 0 only for an authentic callback.
 */
import * as Callback from "@pay/signing/Callback"
import * as Control from "@pay/signing/Control"
import * as Form from "@pay/signing/Form"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import { defaults } from "./ExampleRequest.ts"
import type { Language } from "./Language.ts"

/** Largest difference, in seconds, between `webhook-timestamp` and the receiver's clock. */
const toleranceSeconds = 300

const bash = `#!/usr/bin/env bash
# check.sh QUERY WEBHOOK-ID WEBHOOK-TIMESTAMP WEBHOOK-SIGNATURE
set -euo pipefail
control_key='${defaults.controlKey}'
query="$1" id="$2" timestamp="$3" signatures="$4"

refuse() { echo "refused: $1" >&2; exit 1; }

# The decoded value of one field. A repeated field is refused.
field() {
  local value
  value=$(printf %s "$query" | tr '&' '\\n' | grep "^$1=") || return 1
  [[ "$value" != *$'\\n'* ]] || return 1
  value="\${value#*=}"; value="\${value//+/ }"
  printf '%b' "\${value//%/\\\\x}"
}

# 1. control: SHA-1 of status, orderid, client_orderid and the control key, joined.
status=$(field status) && orderid=$(field orderid) && client_orderid=$(field client_orderid) && control=$(field control) ||
  refuse 'a field is missing'
expected=$(printf %s "$status" "$orderid" "$client_orderid" "$control_key" | openssl dgst -sha1 -r | cut -d ' ' -f 1)
[[ "$control" == "$expected" ]] || refuse 'control is wrong'

# 2. webhook-signature: HMAC-SHA256 of "id.timestamp.query" under the webhook secret.
secret=$(printf %s 'pay/webhook/v1' | openssl dgst -sha256 -hmac "$control_key" -r | cut -d ' ' -f 1)
signature=$(printf %s "$id.$timestamp.$query" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$secret" -binary | openssl base64 -A)
[[ " $signatures " == *" v1,$signature "* ]] || refuse 'webhook-signature is wrong'

# 3. The time: a copy of an old callback is refused.
age=$(($(date +%s) - timestamp))
((age <= ${toleranceSeconds} && age >= -${toleranceSeconds})) || refuse 'webhook-timestamp is too far from now'
echo "$client_orderid"
`

const typescript = `import { Pay } from "@pay/client"

// check.ts QUERY WEBHOOK-ID WEBHOOK-TIMESTAMP WEBHOOK-SIGNATURE
const [query, id, timestamp, signature] = process.argv.slice(2)

const pay = Pay.client({
  baseUrl: process.env.PAY_BASE_URL ?? "${defaults.baseUrl}",
  login: "${defaults.login}",
  controlKey: "${defaults.controlKey}"
})

// In a web server: pay.callbacks.verify(request)
const { clientOrderId } = pay.callbacks.verify({
  url: \`/callback?\${query}\`,
  headers: { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature }
})
console.log(clientOrderId)
`

const php = `<?php
// check.php QUERY WEBHOOK-ID WEBHOOK-TIMESTAMP WEBHOOK-SIGNATURE
// In a web server: $query = $_SERVER['QUERY_STRING']; $id = $_SERVER['HTTP_WEBHOOK_ID']; and so on.
[, $query, $id, $timestamp, $signatures] = $argv;
$controlKey = '${defaults.controlKey}';

function refuse(string $reason): never
{
    fwrite(STDERR, "refused: $reason\\n");
    exit(1);
}

// A signed field that is repeated is refused, because PHP keeps only the last one.
$names = array_map(fn ($pair) => urldecode(explode('=', $pair, 2)[0]), explode('&', $query));
foreach (['status', 'orderid', 'client_orderid', 'control'] as $name) {
    count(array_keys($names, $name, true)) === 1 || refuse("$name is missing or repeated");
}
parse_str($query, $fields);

// 1. control: SHA-1 of status, orderid, client_orderid and the control key, joined.
$control = sha1($fields['status'] . $fields['orderid'] . $fields['client_orderid'] . $controlKey);
hash_equals($control, strtolower($fields['control'])) || refuse('control is wrong');

// 2. webhook-signature: HMAC-SHA256 of "id.timestamp.query" under the webhook secret.
$secret = hash_hmac('sha256', 'pay/webhook/v1', $controlKey, true);
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$query", $secret, true));
$matches = array_filter(explode(' ', $signatures), fn ($signature) => hash_equals($expected, $signature));
count($matches) > 0 || refuse('webhook-signature is wrong');

// 3. The time: a copy of an old callback is refused.
abs(time() - (int) $timestamp) <= ${toleranceSeconds} || refuse('webhook-timestamp is too far from now');
echo $fields['client_orderid'], "\\n";
`

const python = `import base64
import hashlib
import hmac
import sys
import time
import urllib.parse

# check.py QUERY WEBHOOK-ID WEBHOOK-TIMESTAMP WEBHOOK-SIGNATURE
query, webhook_id, timestamp, signatures = sys.argv[1:]
control_key = b"${defaults.controlKey}"
fields = urllib.parse.parse_qs(query, keep_blank_values=True)


def field(name):
    values = fields.get(name, [])
    if len(values) != 1:
        sys.exit(f"refused: {name} is missing or repeated")
    return values[0]


# 1. control: SHA-1 of status, orderid, client_orderid and the control key, joined.
signed = field("status") + field("orderid") + field("client_orderid")
control = hashlib.sha1(signed.encode() + control_key).hexdigest()
if not hmac.compare_digest(control.encode(), field("control").lower().encode()):
    sys.exit("refused: control is wrong")

# 2. webhook-signature: HMAC-SHA256 of "id.timestamp.query" under the webhook secret.
secret = hmac.new(control_key, b"pay/webhook/v1", hashlib.sha256).digest()
digest = hmac.new(secret, f"{webhook_id}.{timestamp}.{query}".encode(), hashlib.sha256).digest()
expected = "v1," + base64.b64encode(digest).decode()
if not any(hmac.compare_digest(expected.encode(), each.encode()) for each in signatures.split(" ")):
    sys.exit("refused: webhook-signature is wrong")

# 3. The time: a copy of an old callback is refused.
if abs(time.time() - int(timestamp)) > ${toleranceSeconds}:
    sys.exit("refused: webhook-timestamp is too far from now")
print(field("client_orderid"))
`

export const snippets: Readonly<Record<Language, string>> = {
  curl: bash,
  TypeScript: typescript,
  PHP: php,
  Python: python
}

/** A callback with all intermediate values of its signatures. */
export interface Vector {
  readonly query: string
  readonly controlText: string
  readonly control: string
  readonly secret: string
  /** What the first signature covers, and what the second one covers. */
  readonly signedContent: string
  readonly canonicalContent: string
  readonly headers: StandardWebhooks.Headers
}

/** Signs a callback of these fields as the gateway does. */
export const vector = (
  fields: ReadonlyArray<readonly [name: string, value: string]>,
  { id, timestampSeconds }: { readonly id: string; readonly timestampSeconds: number }
): Vector => {
  const { controlKey } = defaults
  const values: Record<string, string> = Object.fromEntries(fields)
  const { client_orderid = "", orderid = "", status = "" } = values
  const signed = { status, orderid, client_orderid }
  const control = Callback.sign(signed, controlKey)
  const query = [...fields, ["control", control] as const]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&")
  return {
    query,
    controlText: Control.preimage(Control.recipes.callback, signed, controlKey),
    control,
    secret: StandardWebhooks.secretText(controlKey),
    signedContent: `${id}.${timestampSeconds}.${query}`,
    canonicalContent: `${id}.${timestampSeconds}.${Form.canonical(query)}`,
    headers: StandardWebhooks.sign({ id, timestampSeconds, content: Callback.signedForms(query) }, [
      StandardWebhooks.secret(controlKey)
    ])
  }
}

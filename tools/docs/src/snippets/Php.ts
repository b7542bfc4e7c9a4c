/** Writes a request as a PHP program without libraries. */
import type * as Scheme from "@pay/schema/Scheme"
import * as ExampleRequest from "./ExampleRequest.ts"

const { defaults } = ExampleRequest

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

const expression = (value: ExampleRequest.Value): string => {
  switch (value._tag) {
    case "Text":
      return quoted(value.text)
    case "NewName":
      return "'order-' . bin2hex(random_bytes(8))"
    case "Earlier":
      return `getenv('${value.variable}') ?: exit("${value.variable}: ${value.from}\\n")`
  }
}

const start = ({ endpointId, fields, operation }: ExampleRequest.ExampleRequest): ReadonlyArray<string> => [
  "<?php",
  `$url = (getenv('PAY_BASE_URL') ?: ${quoted(defaults.baseUrl)}) . ${quoted(`${operation.path}/${endpointId}`)};`,
  "$fields = [",
  ...fields.map(({ name, value }) => `    ${quoted(name)} => ${expression(value)},`),
  "];"
]

const send = (headers: ReadonlyArray<string>): ReadonlyArray<string> => [
  "",
  "echo file_get_contents($url, false, stream_context_create(['http' => [",
  "    'method' => 'POST',",
  "    'header' => [",
  "        'Accept: application/vnd.pay+json',",
  "        'Content-Type: application/x-www-form-urlencoded',",
  ...headers.map((header) => `        ${header},`),
  "    ],",
  "    'content' => http_build_query($fields, '', '&', PHP_QUERY_RFC3986),",
  "    'ignore_errors' => true,",
  ']])), "\\n";'
]

const control = (request: ExampleRequest.ExampleRequest, scheme: Scheme.Control): ReadonlyArray<string> => {
  const parts = ExampleRequest.signedParts(request, scheme).map((part) =>
    "text" in part ? quoted(part.text) : `$fields[${quoted(part.field)}]`
  )
  return [
    ...start(request),
    "",
    `// SHA-1 of ${ExampleRequest.recipeText(scheme)}, joined; an absent value is an empty text.`,
    `$fields['control'] = sha1(${[...parts, quoted(defaults.controlKey)].join(" . ")});`,
    ...send([])
  ]
}

const signatures: Readonly<Record<Scheme.Method, ReadonlyArray<string>>> = {
  "HMAC-SHA1": [
    `$signature = hash_hmac('sha1', $baseString, rawurlencode(${quoted(defaults.controlKey)}) . '&', true);`
  ],
  "RSA-SHA256": [
    `$privateKey = file_get_contents(getenv('PAY_PRIVATE_KEY_FILE') ?: ${quoted(defaults.privateKeyFile)});`,
    "openssl_sign($baseString, $signature, $privateKey, OPENSSL_ALGO_SHA256);"
  ]
}

const oauth = (request: ExampleRequest.ExampleRequest, { methods: [method] }: Scheme.OAuth): ReadonlyArray<string> => [
  ...start(request),
  "$oauth = [",
  `    'oauth_consumer_key' => ${quoted(defaults.login)},`,
  "    'oauth_nonce' => bin2hex(random_bytes(16)),",
  `    'oauth_signature_method' => ${quoted(method)},`,
  "    'oauth_timestamp' => (string) time(),",
  "    'oauth_version' => '1.0',",
  "];",
  "",
  "// The base string of OAuth 1.0a (RFC 5849): method, address and sorted parameters, each encoded.",
  "$parameters = array_merge($fields, $oauth);",
  "ksort($parameters, SORT_STRING);",
  "$sorted = http_build_query($parameters, '', '&', PHP_QUERY_RFC3986);",
  "$baseString = 'POST&' . rawurlencode($url) . '&' . rawurlencode($sorted);",
  ...signatures[method],
  "$oauth['oauth_signature'] = base64_encode($signature);",
  "$header = [];",
  "foreach ($oauth as $name => $value) {",
  "    $header[] = $name . '=\"' . rawurlencode($value) . '\"';",
  "}",
  ...send(["'Authorization: OAuth ' . implode(',', $header)"])
]

export const write = ExampleRequest.writer({ control, oauth })

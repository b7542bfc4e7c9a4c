/** Writes a request as a bash script with curl and openssl. */
import type * as Scheme from "@pay/schema/Scheme"
import * as ExampleRequest from "./ExampleRequest.ts"

const { defaults } = ExampleRequest

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const variable = (field: string): string => field.replaceAll("-", "_")

const isVariable = ({ value }: ExampleRequest.Field): boolean => value._tag !== "Text"

/** Returns the lines that set shell variables before the request is built. */
const variables = (request: ExampleRequest.ExampleRequest): ReadonlyArray<string> =>
  request.fields.flatMap(({ name, value }) => {
    switch (value._tag) {
      case "NewName":
        return [`${variable(name)}="order-$(openssl rand -hex 8)"`]
      case "Earlier":
        return [`${variable(name)}="\${${value.variable}:?${value.from}}"`]
      default:
        return []
    }
  })

const pair = (field: ExampleRequest.Field): string =>
  isVariable(field)
    ? `"${field.name}=$${variable(field.name)}"`
    : quoted(`${field.name}=${field.value._tag === "Text" ? field.value.text : ""}`)

const part = ({ fields }: ExampleRequest.ExampleRequest, signed: ExampleRequest.SignedPart): string => {
  if ("text" in signed) return quoted(signed.text)
  const field = fields.find(({ name }) => name === signed.field)
  return field === undefined || isVariable(field)
    ? `"$${variable(signed.field)}"`
    : quoted(field.value._tag === "Text" ? field.value.text : "")
}

const start = (request: ExampleRequest.ExampleRequest): ReadonlyArray<string> => [
  "#!/usr/bin/env bash",
  "set -euo pipefail",
  `url="\${PAY_BASE_URL:-${defaults.baseUrl}}${request.operation.path}/${request.endpointId}"`
]

const control = (request: ExampleRequest.ExampleRequest, scheme: Scheme.Control): ReadonlyArray<string> => {
  const parts = ExampleRequest.signedParts(request, scheme).map((signed) => part(request, signed))
  const fields = request.fields.map((field) => `  --data-urlencode ${pair(field)} \\`)
  return [
    ...start(request),
    `control_key=${quoted(defaults.controlKey)}`,
    ...variables(request),
    "",
    `# SHA-1 of ${ExampleRequest.recipeText(scheme)}, joined; an absent value is an empty text.`,
    `control=$(printf %s ${parts.join(" ")} "$control_key" | openssl dgst -sha1 -r | cut -d ' ' -f 1)`,
    "",
    `curl -sS "$url" \\`,
    "  -H 'Accept: application/vnd.pay+json' \\",
    ...fields,
    `  --data-urlencode "control=$control"`
  ]
}

const encode = `# Percent-encoding of RFC 3986.
encode() {
  local LC_ALL=C text="$1" i c code
  for ((i = 0; i < \${#text}; i++)); do
    c="\${text:i:1}"
    case "$c" in
      [A-Za-z0-9._~-]) printf %s "$c" ;;
      *) printf -v code %d "'$c"; printf '%%%02X' "$((code & 255))" ;;
    esac
  done
}

# Each argument is name=value. Prints encoded lines: name, tab, value.
encode_pairs() {
  local pair
  for pair in "$@"; do printf '%s\\t%s\\n' "$(encode "\${pair%%=*}")" "$(encode "\${pair#*=}")"; done
}`

const signatures: Readonly<Record<Scheme.Method, { readonly key: string; readonly sign: string }>> = {
  "HMAC-SHA1": {
    key: `control_key=${quoted(defaults.controlKey)}`,
    sign: `openssl dgst -sha1 -hmac "$(encode "$control_key")&" -binary`
  },
  "RSA-SHA256": {
    key: `private_key_file="\${PAY_PRIVATE_KEY_FILE:-${defaults.privateKeyFile}}"`,
    sign: `openssl dgst -sha256 -sign "$private_key_file" -binary`
  }
}

const oauth = (request: ExampleRequest.ExampleRequest, { methods: [method] }: Scheme.OAuth): ReadonlyArray<string> => {
  const { key, sign } = signatures[method]
  return [
    ...start(request),
    key,
    ...variables(request),
    "",
    "fields=(",
    ...request.fields.map((field) => `  ${pair(field)}`),
    ")",
    "oauth=(",
    `  'oauth_consumer_key=${defaults.login}'`,
    `  "oauth_nonce=$(openssl rand -hex 16)"`,
    `  'oauth_signature_method=${method}'`,
    `  "oauth_timestamp=$(date +%s)"`,
    `  'oauth_version=1.0'`,
    ")",
    "",
    encode,
    "",
    `sorted=$(encode_pairs "\${fields[@]}" "\${oauth[@]}" | LC_ALL=C sort | tr '\\t' '=' | paste -sd '&' -)`,
    `base_string="POST&$(encode "$url")&$(encode "$sorted")"`,
    `signature=$(printf %s "$base_string" | ${sign} | openssl base64 -A)`,
    `header=$(encode_pairs "\${oauth[@]}" "oauth_signature=$signature" | awk -F '\\t' '{ printf "%s%s=\\"%s\\"", (NR > 1 ? "," : ""), $1, $2 }')`,
    "",
    `data=()`,
    `for pair in "\${fields[@]}"; do data+=(--data-urlencode "$pair"); done`,
    `curl -sS "$url" -H 'Accept: application/vnd.pay+json' -H "Authorization: OAuth $header" "\${data[@]}"`
  ]
}

export const write = ExampleRequest.writer({ control, oauth })

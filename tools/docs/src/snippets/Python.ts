/** Writes a request as a Python program. It needs only the standard library, and openssl for RSA signatures. */
import type * as Scheme from "@pay/schema/Scheme"
import * as ExampleRequest from "./ExampleRequest.ts"

const { defaults } = ExampleRequest

const quoted = (text: string): string => JSON.stringify(text)

const expression = (value: ExampleRequest.Value): string => {
  switch (value._tag) {
    case "Text":
      return quoted(value.text)
    case "NewName":
      return 'f"order-{secrets.token_hex(8)}"'
    case "Earlier":
      return `os.environ["${value.variable}"],  # ${value.from}`
  }
}

const entry = ({ name, value }: ExampleRequest.Field): string =>
  `    ${quoted(name)}: ${expression(value)}${value._tag === "Earlier" ? "" : ","}`

const start = (
  { endpointId, fields, operation }: ExampleRequest.ExampleRequest,
  modules: ReadonlyArray<string>
): ReadonlyArray<string> => [
  ...[...modules, "os", "urllib.error", "urllib.parse", "urllib.request", ...(usesChance(fields) ? ["secrets"] : [])]
    .filter((name, index, all) => all.indexOf(name) === index)
    .sort()
    .map((name) => `import ${name}`),
  "",
  `url = os.environ.get("PAY_BASE_URL", ${quoted(defaults.baseUrl)}) + ${quoted(`${operation.path}/${endpointId}`)}`,
  "fields = {",
  ...fields.map(entry),
  "}"
]

const usesChance = (fields: ReadonlyArray<ExampleRequest.Field>): boolean =>
  fields.some(({ value }) => value._tag === "NewName")

const send = (headers: ReadonlyArray<string>): ReadonlyArray<string> => [
  "",
  `headers = {${['"Accept": "application/vnd.pay+json"', ...headers].join(", ")}}`,
  "body = urllib.parse.urlencode(fields, quote_via=urllib.parse.quote).encode()",
  "try:",
  "    with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:",
  "        print(answer.read().decode())",
  "except urllib.error.HTTPError as refusal:",
  "    print(refusal.read().decode())"
]

const control = (request: ExampleRequest.ExampleRequest, scheme: Scheme.Control): ReadonlyArray<string> => {
  const parts = ExampleRequest.signedParts(request, scheme).map((part) =>
    "text" in part ? quoted(part.text) : `fields[${quoted(part.field)}]`
  )
  return [
    ...start(request, ["hashlib"]),
    "",
    `# SHA-1 of ${ExampleRequest.recipeText(scheme)}, joined; an absent value is an empty text.`,
    `signed = ${[...parts, quoted(defaults.controlKey)].join(" + ")}`,
    'fields["control"] = hashlib.sha1(signed.encode()).hexdigest()',
    ...send([])
  ]
}

const signatures: Readonly<
  Record<Scheme.Method, { readonly modules: ReadonlyArray<string>; readonly lines: ReadonlyArray<string> }>
> = {
  "HMAC-SHA1": {
    modules: ["hashlib", "hmac"],
    lines: [
      `key = encode(${quoted(defaults.controlKey)}) + "&"`,
      "signature = hmac.new(key.encode(), base_string.encode(), hashlib.sha1).digest()"
    ]
  },
  "RSA-SHA256": {
    modules: ["subprocess"],
    lines: [
      `private_key_file = os.environ.get("PAY_PRIVATE_KEY_FILE", ${quoted(defaults.privateKeyFile)})`,
      'openssl = ["openssl", "dgst", "-sha256", "-sign", private_key_file, "-binary"]',
      "signature = subprocess.run(openssl, input=base_string.encode(), capture_output=True, check=True).stdout"
    ]
  }
}

const oauth = (request: ExampleRequest.ExampleRequest, { methods: [method] }: Scheme.OAuth): ReadonlyArray<string> => {
  const { lines, modules } = signatures[method]
  return [
    ...start(request, [...modules, "base64", "secrets", "time"]),
    "oauth = {",
    `    "oauth_consumer_key": ${quoted(defaults.login)},`,
    '    "oauth_nonce": secrets.token_hex(16),',
    `    "oauth_signature_method": ${quoted(method)},`,
    '    "oauth_timestamp": str(int(time.time())),',
    '    "oauth_version": "1.0",',
    "}",
    "",
    "",
    "def encode(text):",
    '    return urllib.parse.quote(text, safe="")',
    "",
    "",
    "# The base string of OAuth 1.0a (RFC 5849): method, address and sorted parameters, each encoded.",
    "pairs = sorted((encode(name), encode(value)) for name, value in {**fields, **oauth}.items())",
    'parameters = "&".join(f"{name}={value}" for name, value in pairs)',
    'base_string = "&".join(["POST", encode(url), encode(parameters)])',
    ...lines,
    'oauth["oauth_signature"] = base64.b64encode(signature).decode()',
    `authorization = "OAuth " + ",".join(f'{name}="{encode(value)}"' for name, value in oauth.items())`,
    ...send(['"Authorization": authorization'])
  ]
}

export const write = ExampleRequest.writer({ control, oauth })

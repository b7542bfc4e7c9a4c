/** Flags that many commands have: the settings of a merchant, the timeout of a call, and JSON. */

export const json = { json: { about: "Print JSON, for programs." } }

export const signature = {
  login: { value: "LOGIN", about: "The merchant's login (PAY_LOGIN)." },
  "endpoint-id": { value: "ID", about: "The endpoint or endpoint group that ends the path (PAY_ENDPOINT_ID)." },
  "base-url": { value: "URL", about: "Everything before /api/… (PAY_BASE_URL)." },
  "control-key-file": {
    value: "FILE",
    about: "The file with the control key; - is standard input (PAY_CONTROL_KEY, PAY_CONTROL_KEY_FILE)."
  },
  "private-key-file": { value: "FILE", about: "The RSA key, PEM, for OAuth RSA-SHA256 (PAY_PRIVATE_KEY_FILE)." },
  "control-amount": {
    value: "FORM",
    about: "How control covers amounts, as the endpoint is set: minor (default) or x100 (PAY_CONTROL_AMOUNT)."
  },
  "gateway-profile": {
    value: "TEXT",
    about:
      "How the gateway speaks: specification (default), pay (our gateway), pairs, paynet, checkout or payment, or the file that pay conformance --harmless wrote (PAY_GATEWAY_PROFILE)."
  }
}

export const timeout = {
  timeout: { value: "SECONDS", about: "How long a call may take (PAY_TIMEOUT, PAY_READ_TIMEOUT)." }
}

/** Flags of every command that calls a gateway's operator interface. */
import type { Flag } from "../command/Flags.ts"

export const flags: Readonly<Record<string, Flag>> = {
  "operator-url": {
    value: "URL",
    about:
      "Where the gateway listens for operators (PAY_OPERATOR_URL); by default one port above PAY_BASE_URL if that is on this machine, else http://127.0.0.1:8081."
  },
  "operator-token-file": {
    value: "FILE",
    about: "The file with your operator token; - is standard input (PAY_OPERATOR_TOKEN, PAY_OPERATOR_TOKEN_FILE)."
  },
  "operator-code": {
    value: "CODE",
    about:
      "The code of your authenticator, if you have enrolled and the command changes something. Each is accepted once."
  },
  json: { about: "Print JSON, for programs." }
}

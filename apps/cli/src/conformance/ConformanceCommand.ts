/** The description and the flags of `pay conformance`. */
import type { Command } from "../command/Command.ts"
import { json, signature } from "../command/SettingFlags.ts"

const { "base-url": _, "gateway-profile": __, ...merchant } = signature

export const command = {
  usage:
    "pay conformance --base-url URL --file FILE\n       pay conformance --harmless --base-url URL [--write-profile FILE]\n       pay conformance --list\n       pay conformance --example\n       pay conformance --schema",
  summary: "Check that a gateway does what the specification says.",
  about:
    "Sends right and wrong requests of every operation to the gateway, and receives its callbacks. Each check names its clause of the specification. Keys, endpoints and test cards come from a file; --example prints the sandbox's own. A capability that the gateway lacks is reported and is not a failure. With --harmless it moves no money: it sends only refusals and questions about orders that do not exist, and finds the gateway's profile, which PAY_GATEWAY_PROFILE takes. Otherwise the suite makes payments. At an address of another machine it runs only with --allow-charges. A run that is stopped, or whose gateway stops answering, reports what it has seen. Ends with 0 if no check failed, with 1 if one failed, with 3 if the gateway is not reached, and with 4 if the run did not finish and no check had failed.",
  flags: {
    "base-url": { value: "URL", about: "Everything before /api/… of the gateway (PAY_BASE_URL)." },
    file: {
      value: "FILE",
      about: "Keys, endpoints and test cards, as docs/merchants/conformance.md describes; - is standard input."
    },
    harmless: {
      about:
        "Move no money: send only wrong requests and questions about orders that do not exist, and find the profile."
    },
    "write-profile": {
      value: "FILE",
      about: "With --harmless: write the profile into this file, which ends with .json."
    },
    order: {
      value: "CLIENT_ORDERID",
      about: "With --harmless: also read the status of this order, which exists."
    },
    ...merchant,
    only: { value: "ID,ID", about: "Only checks whose ids start with one of these: states,threeds/merchant." },
    "allow-charges": { about: "Send payments to a gateway on another machine." },
    "time-limit": {
      value: "SECONDS",
      about: "How long a check may take, and with --harmless a request; 30 by default."
    },
    "run-limit": {
      value: "SECONDS",
      about:
        "How long the whole run may take; then it reports what it has seen. No limit by default, with --harmless 300."
    },
    concurrency: {
      value: "COUNT",
      about: "How many checks run at once; 8 by default. With --harmless, how many requests; 4 by default."
    },
    junit: { value: "FILE", about: "Also write the results as JUnit XML, for build servers." },
    html: { value: "FILE", about: "Also write the results as a page." },
    list: { about: "List the checks with their clauses, and send nothing." },
    example: { about: "Print the file for the sandbox's own merchant." },
    schema: { about: "Print the JSON Schema of the file." },
    "profile-schema": { about: "Print the JSON Schema of the file that --write-profile writes." },
    ...json
  },
  examples: [
    "pay conformance --example > conformance.json",
    "pay conformance --base-url http://127.0.0.1:8080 --file conformance.json",
    "pay conformance --harmless --base-url https://gateway.example --write-profile gateway-profile.json",
    "pay conformance --base-url https://gateway.example/paynet --file staging.json --allow-charges --junit conformance.xml"
  ]
} satisfies Command

/** The commands: what each is for, and its flags besides the fields of an operation. */

import * as BalanceCommands from "./BalanceCommands.ts"
import type { ExitCode } from "./ExitCode.ts"
import type { Flag } from "./Flags.ts"
import * as OperatorGateway from "./OperatorGateway.ts"
import * as RecurringCommands from "./RecurringCommands.ts"

/** One room of the program, loaded when it is entered. */
export interface Room {
  readonly run: (args: ReadonlyArray<string>) => Promise<ExitCode>
}

export interface Command {
  readonly usage: string
  readonly summary: string
  readonly about: string
  readonly flags: Readonly<Record<string, Flag>>
  readonly examples: ReadonlyArray<string>
  readonly load: () => Promise<Room>
}

const json = { json: { about: "Print JSON, for programs." } }

const signature = {
  login: { value: "LOGIN", about: "The merchant's login (PAY_LOGIN)." },
  "endpoint-id": { value: "ID", about: "The endpoint or endpoint group that ends the path (PAY_ENDPOINT_ID)." },
  "base-url": { value: "URL", about: "Everything before /api/… (PAY_BASE_URL)." },
  "control-key-file": { value: "FILE", about: "The file with the control key; - is standard input (PAY_CONTROL_KEY)." },
  "private-key-file": { value: "FILE", about: "The RSA key, PEM, for OAuth RSA-SHA256 (PAY_PRIVATE_KEY_FILE)." },
  "control-amount": {
    value: "FORM",
    about: "How control covers amounts, as the endpoint is set: minor (default) or x100 (PAY_CONTROL_AMOUNT)."
  }
}

const form = {
  form: { value: "FILE", about: "Take fields from a form-encoded body; - is standard input. Flags win." }
}

const received = {
  received: { value: "TEXT", about: "The control, or the Authorization header, as it was received or made elsewhere." },
  "public-key-file": { value: "FILE", about: "The merchant's public RSA key, PEM (PAY_PUBLIC_KEY_FILE)." },
  at: { value: "SECONDS", about: "Judge timestamps at this Unix time instead of now." }
}

const page = {
  from: { value: "TIME", about: "Not before: 2026-11-21 or 2026-11-21T08:00:00Z." },
  to: { value: "TIME", about: "Not after." },
  limit: { value: "COUNT", about: "At most so many, up to 1000; 100 by default." },
  after: { value: "CURSOR", about: "Go on where the page before ended, which names it." }
}

const timeout = { timeout: { value: "SECONDS", about: "How long a call may take (PAY_TIMEOUT, PAY_READ_TIMEOUT)." } }

export const commands = {
  call: {
    usage: "pay call OPERATION --field value …",
    summary: "Call any operation of the gateway, signed.",
    about:
      "Fields are flags with their names on the wire; `pay help call OPERATION` lists them. Nothing is repeated that may have reached the gateway. Card data on a command line is visible to others on the machine: outside the sandbox give it with --form -.",
    flags: {
      ...signature,
      ...form,
      "idempotency-key": {
        value: "KEY",
        about: "For operations on an order: two calls under one key have one effect. Random by default."
      },
      ...timeout,
      ...json
    },
    examples: [
      "pay call capture --client_orderid 902B4FF5 --orderid 6768788 --amount 5.00 --currency USD",
      "pay call sale --form - < sale.form"
    ],
    load: () => import("./CallRoom.ts")
  },
  status: {
    usage: "pay status CLIENT_ORDERID [--watch]",
    summary: "Tell how an order stands, or watch it until it is final.",
    about:
      "--watch asks every 3 to 5 seconds for five minutes, then every 5 to 10 minutes, and gives up after an hour without change; it prints what changes.",
    flags: {
      watch: { about: "Ask again until the status is final." },
      orderid: { value: "ID", about: "The gateway's identifier of the order, where it is known." },
      "by-request-sn": { value: "SERIAL", about: "Ask about one request by its serial-number." },
      ...signature,
      ...timeout,
      ...json
    },
    examples: ["pay status 902B4FF5 --watch"],
    load: () => import("./StatusRoom.ts")
  },
  sign: {
    usage: "pay sign OPERATION --field value …",
    summary: "Show what is signed for a request, and the signature. Sends nothing.",
    about: "Prints the text that is signed, its key masked, and the control or the Authorization header.",
    flags: {
      ...signature,
      ...form,
      timestamp: { value: "SECONDS", about: "oauth_timestamp; now by default." },
      nonce: { value: "TEXT", about: "oauth_nonce; random by default." },
      ...json
    },
    examples: ["pay sign status --client_orderid 902B4FF5", "pay sign capture --form body.txt"],
    load: () => import("./SignRoom.ts")
  },
  verify: {
    usage: "pay verify OPERATION --field value … --received TEXT\n       pay verify callback URL",
    summary: "Check a received control, Authorization header or callback.",
    about:
      "A callback's address proves its status and order ids; with the three webhook flags also that it was not replayed.",
    flags: {
      ...signature,
      ...form,
      ...received,
      "webhook-id": { value: "TEXT", about: "The callback's header of this name." },
      "webhook-timestamp": { value: "SECONDS", about: "The callback's header of this name." },
      "webhook-signature": { value: "TEXT", about: "The callback's header of this name." },
      ...json
    },
    examples: [
      "pay verify status --client_orderid 902B4FF5 --received 8b4327329029cf6ea459f5a92492775f8a11f97a",
      "pay verify callback 'https://shop.example/callback?status=approved&orderid=6768788&…&control=…'"
    ],
    load: () => import("./VerifyRoom.ts")
  },
  explain: {
    usage: "pay explain OPERATION --field value … --received TEXT\n       pay explain callback URL",
    summary: "Name the mistake behind a signature that does not match.",
    about: "Tries the mistakes that are really made and names those that give exactly the received value.",
    flags: {
      ...signature,
      ...form,
      ...received,
      "other-ids": { value: "ID,ID", about: "Other endpoint and group ids that may have been signed by mistake." },
      "other-keys-file": { value: "FILE", about: "Other control keys that may have been used, one a line." },
      ...json
    },
    examples: ["pay explain sale --form body.txt --received 8b4327329029cf6ea459f5a92492775f8a11f97a"],
    load: () => import("./ExplainRoom.ts")
  },
  gateway: {
    usage: "pay gateway start",
    summary: "Run a sandbox gateway: the whole gateway with a simulated bank.",
    about:
      "Orders are kept in the data folder. SIGINT or SIGTERM stop it after what is under way; a second one stops at once.",
    flags: {
      port: { value: "PORT", about: "Where it listens; 8080 by default, 0 takes a free one (PAY_PORT)." },
      host: { value: "ADDRESS", about: "127.0.0.1 by default (PAY_HOST)." },
      data: { value: "FOLDER", about: "Database, keys and the bank's books; .data/gateway by default (PAY_DATA)." },
      config: { value: "FILE", about: "A configuration file; its merchants replace the sandbox's own (PAY_CONFIG)." },
      ...json
    },
    examples: ["pay gateway start --port 0"],
    load: () => import("./GatewayRoom.ts")
  },
  audit: {
    usage: "pay audit [--subject KIND:ID]",
    summary: "Tell who did what with an operator's or an approver's rights.",
    about: "Newest first. Every privileged change is recorded in the commit that makes it.",
    flags: {
      subject: { value: "KIND:ID", about: "Of one thing only: order:123." },
      ...page,
      ...OperatorGateway.flags
    },
    examples: ["pay audit --from 2026-11-01", "pay audit --subject order:6768788"],
    load: () => import("./AuditRoom.ts")
  },
  orders: {
    usage: "pay orders search [flags]\n       pay orders show ORDER",
    summary: "Look for orders, or show everything about one.",
    about:
      "Newest first; all criteria must hold. A page looks at a bounded number of orders: where it names a next one, that goes on. ORDER is the gateway's identifier.",
    flags: {
      merchant: { value: "LOGIN", about: "Of one merchant." },
      "client-orderid": { value: "ID", about: "The merchant's own identifier; with --merchant." },
      status: { value: "STATUS", about: "processing, unknown, approved, declined, error or filtered." },
      state: { value: "STATE", about: "A state of docs/lifecycle.md." },
      "last-four": { value: "DIGITS", about: "The last four digits of the card." },
      "card-file": {
        value: "FILE",
        about:
          "Of one card, with --merchant: a line NUMBER MM/YYYY; - is standard input. Only its keyed hash is looked for."
      },
      amount: { value: "AMOUNT", about: "As the merchant named it: 10.42." },
      currency: { value: "CODE", about: "USD, EUR, …" },
      "filtered-by": { value: "RULE", about: "Stopped by this risk rule: max-amount." },
      "unknown-for": {
        value: "TIME",
        about: "With a request that the bank has not answered for longer than 30m, 6h, 2d."
      },
      ...page,
      ...OperatorGateway.flags
    },
    examples: [
      "pay orders search --merchant shop --last-four 1111 --from 2026-11-01",
      "pay orders search --unknown-for 6h",
      "pay orders search --merchant shop --card-file - < card.txt",
      "pay orders show 6768788"
    ],
    load: () => import("./OrdersRoom.ts")
  },
  callbacks: {
    usage: "pay callbacks list --order ORDER | --state STATE\n       pay callbacks resend CALLBACK",
    summary: "Tell what merchants were told, or tell them again.",
    about: "A callback that is sent again has the same content and webhook-id.",
    flags: {
      order: { value: "ORDER", about: "Of one order, by the gateway's identifier." },
      state: { value: "STATE", about: "pending, delivered or parked." },
      limit: page.limit,
      ...OperatorGateway.flags
    },
    examples: ["pay callbacks list --state parked", "pay callbacks resend 6768788-1"],
    load: () => import("./CallbacksRoom.ts")
  },
  ...BalanceCommands.commands,
  ...RecurringCommands.commands,
  rewrap: {
    usage: "pay rewrap",
    summary: "Bring everything sealed under an older master key under the current one.",
    about:
      "Runs in the gateway, beside payments; this shows how far it is. Breaking off the command does not stop it. Ends with 1 where something could not be opened: then the older keys must stay.",
    flags: OperatorGateway.flags,
    examples: ["pay rewrap"],
    load: () => import("./RewrapRoom.ts")
  },
  merchants: {
    usage: "pay merchants list\n       pay merchants show LOGIN\n       pay merchants reload",
    summary: "Tell which merchants a gateway knows, or have it read its configuration file's merchants again.",
    about:
      "reload checks the whole file first; where anything is wrong, all of it is told and the merchants stay as they were.",
    flags: OperatorGateway.flags,
    examples: ["pay merchants show my-shop", "pay merchants reload"],
    load: () => import("./MerchantsRoom.ts")
  },
  keys: {
    usage:
      "pay keys list LOGIN\n       pay keys add LOGIN | rotate LOGIN [--kind rsa --public-key-file FILE]\n       pay keys revoke LOGIN KEY",
    summary: "List, add, rotate and revoke a merchant's keys while the gateway runs.",
    about:
      "The gateway makes control keys and shows each once; it takes the public half of RSA keys. rotate adds a key and retires the others after the overlap, in which both count; what the gateway signs is signed by the newest. revoke counts at once.",
    flags: {
      kind: { value: "KIND", about: "control (default) or rsa." },
      "public-key-file": { value: "FILE", about: "The merchant's public RSA key, PEM, at least 2048 bits." },
      overlap: {
        value: "TIME",
        about: "How long the other keys still count after a rotate: 24h by default; s, m, h, d."
      },
      from: { value: "TIME", about: "When the key begins to count: 2026-11-21T08:00:00Z; at once by default." },
      last: { about: "Revoke it even where the merchant is then left without a key of its kind." },
      ...OperatorGateway.flags
    },
    examples: ["pay keys rotate my-shop --overlap 7d", "pay keys revoke my-shop control-1"],
    load: () => import("./KeysRoom.ts")
  },
  payout: {
    usage: "pay payout show ORDER\n       pay payout approve ORDER | reject ORDER",
    summary: "Look at a payout that waits for a second person; approve or reject it.",
    about:
      "Signed with an approver's own Ed25519 key, which the gateway's configuration knows by name. What is signed names order, amount and recipient as they were shown; nothing else is approved by it. A key is made with: openssl genpkey -algorithm ed25519 -out approver.pem; its public half with: openssl pkey -in approver.pem -pubout.",
    flags: {
      "base-url": { value: "URL", about: "Everything before /api/… (PAY_BASE_URL)." },
      approver: { value: "NAME", about: "Your name in the gateway's configuration (PAY_APPROVER)." },
      "approver-key-file": {
        value: "FILE",
        about: "Your private key, PEM; - is standard input (PAY_APPROVER_KEY_FILE)."
      },
      yes: { about: "Do not ask before signing: for programs, which have looked with show." },
      ...json
    },
    examples: ["pay payout show 6768788", "pay payout approve 6768788 --approver ada --approver-key-file ada.pem"],
    load: () => import("./PayoutRoom.ts")
  },
  help: {
    usage: "pay help [COMMAND | OPERATION]",
    summary: "Explain a command or the fields of an operation.",
    about: "Needs neither network nor settings.",
    flags: {},
    examples: ["pay help call", "pay help call capture", "pay help sale"],
    load: () => import("./HelpRoom.ts")
  }
} satisfies Readonly<Record<string, Command>>

export type Name = keyof typeof commands

export const isName = (word: string): word is Name => Object.hasOwn(commands, word)

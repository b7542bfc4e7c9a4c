/** The commands with their descriptions, and their flags besides the fields of an operation. */
import * as AdapterCommand from "./adapter/AdapterCommand.ts"
import type { Command } from "./command/Command.ts"
import { json, signature, timeout } from "./command/SettingFlags.ts"
import * as ConformanceCommand from "./conformance/ConformanceCommand.ts"
import * as CrashTestCommand from "./crashtest/CrashTestCommand.ts"
import * as DeveloperCommands from "./DeveloperCommands.ts"
import * as FlowCommands from "./flow/FlowCommands.ts"
import * as OperatorCommands from "./operator/OperatorCommands.ts"
import * as ConfigCommand from "./store/ConfigCommand.ts"
import * as KeyringCommand from "./store/KeyringCommand.ts"
import * as StoreCommand from "./store/StoreCommand.ts"

const form = {
  form: {
    value: "FILE",
    about:
      "Take fields from a form-encoded body, or as PHP, Python, Ruby, JavaScript or PowerShell print them; - is standard input. Flags override them."
  }
}

const received = {
  received: { value: "TEXT", about: "The control, or the Authorization header, as it was received or made elsewhere." },
  "public-key-file": { value: "FILE", about: "The merchant's public RSA key, PEM (PAY_PUBLIC_KEY_FILE)." },
  at: { value: "SECONDS", about: "Judge timestamps at this Unix time instead of now." }
}

/** Help about card data, for the commands that only sign. */
const cards =
  "Others on the machine can see card data on a command line, so it is accepted for a sandbox on this machine only (--base-url). Give other cards with --form -."

export const commands = {
  call: {
    usage: "pay call OPERATION --field value …",
    summary: "Call any operation of the gateway, signed.",
    about:
      "Each field is a flag with its name on the wire; `pay help call OPERATION` lists them. The command never repeats a request that may have reached the gateway. Others on the machine can see card data on a command line, so it is accepted for a sandbox on this machine only. Give other cards with --form -.",
    flags: {
      ...signature,
      ...form,
      "idempotency-key": {
        value: "KEY",
        about: "For operations on an order: two calls under one key have one effect. Random by default."
      },
      "dry-run": { about: "Send nothing: show the request, its signed text, and the same with curl." },
      ...timeout,
      ...json
    },
    sendsFields: true,
    examples: [
      "pay call capture --client_orderid 902B4FF5 --orderid 6768788 --amount 5.00 --currency USD",
      "pay call sale --form - < sale.form",
      "pay call status --client_orderid 902B4FF5 --dry-run"
    ]
  },
  status: {
    usage: "pay status [CLIENT_ORDERID] [--orderid ID] [--watch]",
    summary: "Show the status of an order, or watch it until it is final.",
    about:
      "--watch prints each change. It asks every 3 to 5 seconds for five minutes, then every 5 to 10 minutes, and stops after an hour without a change.",
    flags: {
      watch: { about: "Ask again until the status is final." },
      orderid: { value: "ID", about: "The gateway's identifier of the order; enough by itself." },
      "by-request-sn": { value: "SERIAL", about: "Ask about one request by its serial-number." },
      ...signature,
      ...timeout,
      ...json
    },
    examples: ["pay status 902B4FF5 --watch", "pay status --orderid 6768788"]
  },
  flow: {
    ...FlowCommands.flow,
    flags: { ...FlowCommands.flow.flags, ...signature, ...form, ...timeout, ...json }
  },
  sign: {
    usage: "pay sign OPERATION --field value …\n       pay sign webhook-secret",
    summary: "Show what is signed for a request, and the signature. Sends nothing.",
    about: `Prints the signed text with a masked key, and the control or the Authorization header. \`pay sign webhook-secret\` prints the secret with which libraries of Standard Webhooks verify callbacks. Keep it like the control key. ${cards}`,
    flags: {
      ...signature,
      ...form,
      timestamp: { value: "SECONDS", about: "oauth_timestamp; now by default." },
      nonce: { value: "TEXT", about: "oauth_nonce; random by default." },
      ...json
    },
    examples: [
      "pay sign status --client_orderid 902B4FF5",
      "pay sign capture --form body.txt",
      "pay sign webhook-secret --control-key-file key.txt"
    ]
  },
  verify: {
    usage: "pay verify OPERATION --field value … --received TEXT\n       pay verify callback URL",
    summary: "Check a received control, Authorization header or callback.",
    about:
      "The address of a callback proves its status and order ids. With the three webhook flags, the command also checks that it was not replayed. " +
      cards,
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
    ]
  },
  explain: {
    usage:
      "pay explain OPERATION --field value … --received TEXT\n       pay explain --request FILE\n       pay explain callback URL",
    summary: "Name the mistake behind a signature that does not match.",
    about:
      "Tries the usual mistakes, names each one that gives exactly the received value, and shows the text that was signed below the text that is right. You can also paste a whole request: a curl command, raw HTTP, an entry of a HAR file, or a call of fetch, axios, requests.post or Invoke-RestMethod. Then operation, endpoint, fields and signature come from it, and its method, path, header, body, time and login are checked, too. If no known mistake gives the signature, it says what the signature itself shows. " +
      cards,
    flags: {
      request: {
        value: "FILE",
        about: "The request: a curl command, raw HTTP, a HAR entry or a program's call; - is standard input."
      },
      ...signature,
      ...form,
      ...received,
      "other-ids": { value: "ID,ID", about: "Other endpoint and group ids that may have been signed by mistake." },
      "other-urls": {
        value: "URL,URL",
        about: "Other addresses of gateways, everything before /api/…, that may have been signed by mistake."
      },
      "other-keys-file": { value: "FILE", about: "Other control keys that may have been used, one a line." },
      ...json
    },
    examples: [
      "pay explain sale --form body.txt --received 8b4327329029cf6ea459f5a92492775f8a11f97a",
      "pay explain --request - < curl.txt",
      "pay explain --request entry.har --json"
    ]
  },
  gateway: {
    usage: "pay gateway start",
    summary: "Run a sandbox gateway: the whole gateway with a simulated bank.",
    about:
      "Orders are stored in the data folder. SIGINT or SIGTERM stops the gateway after it has finished what is under way. A second signal stops it at once.",
    flags: {
      port: { value: "PORT", about: "The port; 8080 by default, 0 takes a free one (PAY_PORT)." },
      host: { value: "ADDRESS", about: "The address on which it listens; 127.0.0.1 by default (PAY_HOST)." },
      data: {
        value: "FOLDER",
        about: "The folder for the database, the keys and the bank's books; .data/gateway by default (PAY_DATA)."
      },
      witness: {
        value: "FILE",
        about:
          "The file with the number of the store's last commit; store.witness in the data folder by default (PAY_WITNESS)."
      },
      new: { about: "Make an empty store if the folder has none, even if the folder has other files." },
      "accept-loss": {
        about:
          "Start as restored on a store in which data is missing; the audit records it. See docs/operators/clock-and-store.md."
      },
      moved: {
        about: "Refuse a data folder that was not copied or moved. A sandbox continues one that was without this flag."
      },
      restored: { about: "Start as restored on any store, for example on a copy: the bank is asked first." },
      config: { value: "FILE", about: "A configuration file; its merchants replace the sandbox's own (PAY_CONFIG)." },
      ...json
    },
    examples: ["pay gateway start --port 0"]
  },
  ...DeveloperCommands.commands,
  crashtest: CrashTestCommand.command,
  conformance: ConformanceCommand.command,
  adapter: AdapterCommand.command,
  ...OperatorCommands.commands,
  backup: {
    usage: "pay backup FILE",
    summary: "Copy a gateway's database while it runs, and check the copy.",
    about:
      "Run it on the gateway's machine, as a user who may read its data folder. The gateway may be running or stopped. The copy is one consistent state of the database, and every page of it is checked. It contains no keys. Ends with 1 if no copy was made, or if --reconcile finds a discrepancy.",
    flags: {
      data: { value: "FOLDER", about: "The gateway's data folder; .data/gateway by default (PAY_DATA)." },
      reconcile: { about: "Also recompute every order and balance of the copy." },
      ...json
    },
    examples: ["pay backup /backups/gateway-2026-11-21.db --data /var/lib/pay"]
  },
  restore: {
    usage: "pay restore FILE FOLDER",
    summary: "Restore a copy into a data folder that has no database.",
    about:
      "Updates the copy to this release's schema and marks it as restored. A gateway that starts on it takes no orders until it knows what bank and rail have booked since (pay bookings). It inquires at the bank before it sends anything for an order of the copy. It does not restore the key ring: do that yourself.",
    flags: json,
    examples: ["pay restore /backups/gateway-2026-11-21.db /var/lib/pay"]
  },
  store: StoreCommand.store,
  keyring: KeyringCommand.keyring,
  config: ConfigCommand.config,
  help: {
    usage: "pay help [COMMAND | OPERATION]",
    summary: "Explain a command or the fields of an operation.",
    about: "Needs neither network nor settings.",
    flags: {},
    examples: ["pay help call", "pay help call capture", "pay help sale"]
  }
} satisfies Readonly<Record<string, Command>>

export type Name = keyof typeof commands

/** Commands whose first argument is an operation. */
export const withOperation: ReadonlySet<string> = new Set(["call", "sign", "verify", "explain"])

const isName = (word: string): word is Name => Object.hasOwn(commands, word)

/** Returns the command that has this name or this other name. */
export const named = (word: string): Name | undefined => {
  const name = Object.entries<Command>(commands).find(([, { also }]) => also?.includes(word))?.[0] ?? word
  return isName(name) ? name : undefined
}

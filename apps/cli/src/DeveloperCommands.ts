/** The commands for a merchant's developer. */
import type { Command } from "./command/Command.ts"
import * as Profiles from "./command/Profiles.ts"
import { json, signature, timeout } from "./command/SettingFlags.ts"
import * as OperatorFlags from "./operator/OperatorFlags.ts"
import * as TriggerEvents from "./sandbox/TriggerEvents.ts"

export const commands = {
  listen: {
    usage: "pay listen [--forward URL]\n       pay listen --history",
    summary: "Receive callbacks, verify and show them, and forward them to your program.",
    about:
      'Prints one line for each callback: its content, whether its signature is right, and the answer that it got. With --forward, your program gets the callback with the same method, query, headers and body. The gateway gets your program\'s answer, or 502 if there is none, and then tries again. Without --forward, the answer is 200 if the signature is right, and 400 if not. Callbacks are stored in a file, without digits of cards. A callback that was received before is shown as "again".',
    flags: {
      forward: {
        value: "URL",
        about: "Where your program takes callbacks. If the address has no path, the callback's own path is used."
      },
      port: { value: "PORT", about: "The port; 4242 by default, 0 takes a free one." },
      host: { value: "ADDRESS", about: "The address on which it listens; 127.0.0.1 by default." },
      history: { about: "Show what was received before, and end." },
      "history-file": {
        value: "FILE",
        about: "The file of received callbacks; callbacks.jsonl in ~/.pay by default (PAY_STATE)."
      },
      "control-key-file": signature["control-key-file"],
      ...json
    },
    examples: [
      "pay listen --forward http://127.0.0.1:3000/payments/callback",
      "pay trigger approved --callback http://127.0.0.1:4242/",
      "pay listen --history --json"
    ]
  },
  why: {
    usage: "pay why CLIENT_ORDERID [--orderid ID]",
    summary: "Explain the status of an order: what it waits for, and what you can do.",
    about:
      "Changes nothing. If the gateway's operator interface is reachable (on this machine, or with --operator-url), it also shows what happened, since when the order waits, and what happens next. Otherwise it uses only what status returns to the merchant.",
    flags: {
      orderid: { value: "ID", about: "The gateway's identifier of the order; enough by itself." },
      ...signature,
      ...OperatorFlags.flags,
      ...timeout,
      ...json
    },
    examples: ["pay why 902B4FF5", "pay why --orderid 6768788 --json"]
  },
  doctor: {
    usage: "pay doctor",
    summary: "Check settings, keys, clock and the way to the gateway.",
    about:
      "Each line begins with ok, note or wrong. A line with wrong says what to do. The command asks the gateway for the status of an order that does not exist, which changes nothing: with the control key, and with the RSA key if there is one. If an operator's address or token is set, it is checked, too. Ends with 0 if nothing is wrong, with 1 if the gateway refuses, with 2 if a setting is wrong, and with 3 if the gateway is not reached.",
    flags: {
      ...signature,
      "public-key-file": { value: "FILE", about: "The merchant's public RSA key, PEM (PAY_PUBLIC_KEY_FILE)." },
      ...OperatorFlags.flags,
      ...timeout,
      ...json
    },
    examples: ["pay doctor", "pay doctor --profile sandbox --json"]
  },
  trigger: {
    usage: "pay trigger\n       pay trigger EVENT",
    summary: "Make an order with a certain outcome at a sandbox.",
    about:
      "Works only at a sandbox on this machine: it first asks the gateway whether it is a sandbox. Without settings it acts as the sandbox's own merchant at http://127.0.0.1:8080. Prints what was sent, how the order will end, and the commands that show it.",
    words: { title: "Events", rows: TriggerEvents.rows },
    flags: {
      callback: { value: "URL", about: "The address for callbacks, such as that of pay listen." },
      "client-orderid": { value: "ID", about: "The merchant's order number; by default it is made from the event." },
      "base-url": signature["base-url"],
      login: { value: "LOGIN", about: "Another merchant of the sandbox, with its key (PAY_LOGIN)." },
      "endpoint-id": { value: "ID", about: "Another endpoint than the event's own." },
      "control-key-file": signature["control-key-file"],
      "private-key-file": signature["private-key-file"],
      "control-amount": signature["control-amount"],
      ...json
    },
    examples: [
      "pay trigger",
      "pay trigger declined",
      "pay trigger 3ds-abandoned --callback http://127.0.0.1:4242/",
      "pay clock advance 15m"
    ]
  },
  open: {
    usage: "pay open docs [PAGE]\n       pay open shop\n       pay open CLIENT_ORDERID",
    summary: "Open documents, the shop, or the page that an order waits for.",
    about:
      "Prints the address and opens it: with BROWSER, or with the desktop's browser on a terminal of a desktop. For an order, it opens the page of 3-D Secure that status returns. For a document, it opens the page below PAY_DOCS_URL. Without PAY_DOCS_URL it prints the path of the file in the repository.",
    flags: {
      "no-open": { about: "Only print the address." },
      "shop-url": { value: "URL", about: "Where the shop is; http://127.0.0.1:8090 by default (PAY_SHOP_URL)." },
      orderid: { value: "ID", about: "The gateway's identifier of the order." },
      ...signature,
      ...timeout,
      ...json
    },
    examples: ["pay open docs operators/operating", "pay open shop", "pay open 902B4FF5 --no-open"]
  },
  completion: {
    usage: "pay completion bash|zsh|fish",
    summary: "Print a script that completes commands and flags in a shell.",
    about:
      "Completes commands, operations, fields of the operation, flags and profiles. The script runs this program at each Tab.",
    flags: {},
    examples: [
      'eval "$(pay completion bash)"',
      "source <(pay completion zsh)",
      "pay completion fish > ~/.config/fish/completions/pay.fish"
    ]
  },
  profile: {
    usage:
      "pay profile set NAME --base-url URL --login LOGIN …\n       pay profile use NAME\n       pay profile list\n       pay profile show [NAME]\n       pay profile delete NAME",
    summary: "Keep settings under names, and change between them.",
    about:
      "A profile contains addresses, logins and paths of key files, and never a key. The first profile becomes the current one. A flag overrides the environment, and the environment overrides the current profile. A profile that you name with --profile NAME or PAY_PROFILE replaces the environment's settings. An empty value removes a setting. Profiles are stored in ~/.pay (PAY_STATE). Only their owner can read them.",
    flags: { ...Profiles.settings, ...json },
    examples: [
      "pay profile set sandbox --base-url http://127.0.0.1:8080 --login sandbox-merchant --endpoint-id 1001 --control-key-file key.txt",
      "pay profile use sandbox",
      "pay status 902B4FF5 --profile sandbox"
    ]
  }
} satisfies Readonly<Record<string, Command>>

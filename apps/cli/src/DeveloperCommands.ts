/** The commands that a merchant's developer keeps open or at hand. */
import type { Command } from "./Command.ts"
import * as OperatorFlags from "./OperatorFlags.ts"
import * as Profiles from "./Profiles.ts"
import { json, signature, timeout } from "./SettingFlags.ts"
import * as TriggerEvents from "./TriggerEvents.ts"

export const commands = {
  listen: {
    usage: "pay listen [--forward URL]\n       pay listen --history",
    summary: "Receive callbacks, verify and show them, and forward them to your program.",
    about:
      'Each callback is one line: what it says, whether its signature is right, and how it was answered. With --forward it goes on to your program as it came, with the same method, query, headers and body; the gateway gets your program\'s answer, and 502 where there was none, so that it tries again. Without --forward it is answered with 200 where its signature is right, with 400 otherwise. What was received is kept in a file without digits of cards; an event that came before, also before a restart, is shown as "again".',
    flags: {
      forward: {
        value: "URL",
        about: "Where your program takes callbacks; without a path, the path stays the callback's."
      },
      port: { value: "PORT", about: "Where it listens; 4242 by default, 0 takes a free one." },
      host: { value: "ADDRESS", about: "127.0.0.1 by default." },
      history: { about: "Show what was received before, and end." },
      "history-file": { value: "FILE", about: "Where it is kept; callbacks.jsonl in ~/.pay by default (PAY_STATE)." },
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
      "Where the gateway's operator interface is open (on this machine, or with --operator-url), it also shows what happened, since when it waits, and what happens next. Elsewhere it says what the merchant's status tells. Only reads.",
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
      "Each line is ok, a note, or wrong and what to do. The gateway is asked for the status of an order that does not exist, which changes nothing. Ends with 0 where nothing is wrong, with 2 for settings, 3 where the gateway is not reached, 1 where it refuses.",
    flags: { ...signature, ...timeout, ...json },
    examples: ["pay doctor", "pay doctor --profile sandbox --json"]
  },
  trigger: {
    usage: "pay trigger\n       pay trigger EVENT",
    summary: "Make an order at a sandbox that takes a certain way.",
    about:
      "Only at a sandbox on this machine, which is asked whether it is one before anything else is sent. Without settings it acts as the sandbox's own merchant at http://127.0.0.1:8080. Prints what was sent, how it ends, and how to see it.",
    words: { title: "Events", rows: TriggerEvents.rows },
    flags: {
      callback: { value: "URL", about: "Where the gateway calls back: where pay listen listens." },
      "client-orderid": { value: "ID", about: "The order's number; made of the event by default." },
      "base-url": signature["base-url"],
      login: { value: "LOGIN", about: "Another merchant of the sandbox (PAY_LOGIN), with its key." },
      "endpoint-id": { value: "ID", about: "Instead of the endpoint that the event is meant for." },
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
    summary: "Open documents, the shop, or the page on which an order waits.",
    about:
      "Prints the address and opens it, with BROWSER or the desktop's browser where this runs on a terminal of one. Of an order it opens the page of 3-D Secure that the gateway names in its status. Documents are below PAY_DOCS_URL; without it the path of the repository's file is printed.",
    flags: {
      "no-open": { about: "Only print the address." },
      "shop-url": { value: "URL", about: "Where the shop is; http://127.0.0.1:8090 by default (PAY_SHOP_URL)." },
      orderid: { value: "ID", about: "The gateway's identifier of the order." },
      ...signature,
      ...timeout,
      ...json
    },
    examples: ["pay open docs operating", "pay open shop", "pay open 902B4FF5 --no-open"]
  },
  completion: {
    usage: "pay completion bash|zsh|fish",
    summary: "Print a script that completes commands and flags in a shell.",
    about:
      "The script asks this program at each Tab: it knows commands, operations, fields of the operation, flags and profiles.",
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
      "A profile holds addresses, logins and the paths of key files, never a key. The first one that is set becomes current. Flags win over the environment, the environment over the current profile; a profile that is named with --profile NAME or PAY_PROFILE is used instead of the environment's settings. An empty value takes a setting away. Profiles are kept in ~/.pay (PAY_STATE), readable for their owner only.",
    flags: { ...Profiles.settings, ...json },
    examples: [
      "pay profile set sandbox --base-url http://127.0.0.1:8080 --login sandbox-merchant --endpoint-id 1001 --control-key-file key.txt",
      "pay profile use sandbox",
      "pay status 902B4FF5 --profile sandbox"
    ]
  }
} satisfies Readonly<Record<string, Command>>

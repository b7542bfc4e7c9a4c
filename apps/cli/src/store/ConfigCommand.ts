/** The description and the flags of `pay config`. */
import type { Command } from "../command/Command.ts"
import { json } from "../command/SettingFlags.ts"

export const config = {
  usage: "pay config check FILE [--new]",
  summary: "Say whether a gateway for real money would start with a configuration.",
  about:
    "Asks what a start asks: the form of the file, merchants, addresses, key ring, adapters, data folder and store, and prints every problem. The adapter module is loaded; the bank is not called. The store is read as pay store check reads it, which takes minutes for a million orders. Nothing is written, and nothing listens. Run it as the user who runs the gateway, in its folder and with its PAY_ variables, which override the file. Only a start finds out whether the ports are free and the keys open what the store has. Ends with 1 if a start would be refused.",
  flags: {
    new: { about: "Judge the first start, with --new: there must be no store yet." },
    ...json
  },
  examples: ["pay config check /etc/pay/gateway.json", "pay config check /etc/pay/gateway.json --new --json"]
} satisfies Command

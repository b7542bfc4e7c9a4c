/** The description and the flags of `pay keyring`. */
import type { Command } from "../command/Command.ts"
import { json } from "../command/SettingFlags.ts"

export const keyring = {
  usage:
    "pay keyring new FILE\n       pay keyring rotate FILE [--hashing] [--add | --use]\n       pay keyring show FILE",
  summary: "Make, rotate or show the file of a gateway's master and hashing keys.",
  about:
    "new writes a file that only you may read, and never changes an existing one. rotate adds a key and makes it the current one, in one step: every older key stays. It refuses a file of another user. show prints the version and the fingerprint of each key, never a key. A gateway reads the file when it starts. For several gateways on one store, rotate in two parts, so that none meets a key that it lacks: rotate --add, copy the file to each machine and restart each, then rotate --use, and the same again. Afterwards, pay keys rotation re-encrypts what older master keys have encrypted. Never remove a hashing key. Keep a copy of the file elsewhere: without it, no card can be read. Ends with 1 if the file was refused.",
  flags: {
    hashing: {
      about: "For rotate: the hashing key instead of the master key. Equal cards are recognized under one version only."
    },
    add: { about: "For rotate: add a key, and do not use it yet." },
    use: { about: "For rotate: make the newest key the current one, and add none." },
    ...json
  },
  examples: [
    "pay keyring new /etc/pay/keys.json",
    "pay keyring rotate /etc/pay/keys.json",
    "pay keyring show /etc/pay/keys.json"
  ]
} satisfies Command

/** The description and the flags of `pay crashtest`. */
import type { Command } from "../command/Command.ts"
import { json } from "../command/SettingFlags.ts"

export const command = {
  usage: "pay crashtest [FLAGS] -- COMMAND …\n       pay crashtest --list\n       pay crashtest --example",
  summary: "Crash-test a shop in any language: does each customer pay once, whatever fails?",
  about:
    "Starts a sandbox and the shop, buys, and lets everything fail: answers get lost, callbacks come twice or never, the bank approves hours later, the shop is killed. Then it compares what the shop says with the books of the bank. COMMAND starts the shop in this folder, without a shell, with PAY_BASE_URL and the keys of the sandbox in its environment. crashtest.json says how to buy and how to ask whether an order is paid; docs/merchants/crashtest.md explains it. Only this machine is called. Ends with 0 if nothing was found, with 1 if something was, and with 2 if the shop could not be tested. Ctrl-C gives the report so far, with 1 or, without a finding, with 130; a second one ends at once.",
  flags: {
    payments: { value: "COUNT", about: "How many payments to make; 300 by default." },
    minutes: { value: "COUNT", about: "Give the report after so many minutes, even if payments are left." },
    kinds: { value: "NAME,NAME", about: "Only these faults; --list shows their names." },
    seed: { value: "NUMBER", about: "Repeat a run: the number from which the faults are chosen. Random by default." },
    case: { value: "NUMBER", about: "Repeat one payment of a run, and show its timeline." },
    report: { value: "FORMAT", about: "Also write a report: html, json or junit." },
    out: {
      value: "FILE",
      about: "Where to write it; by default crashtest-report.html, .json or .xml. - prints it instead of the summary."
    },
    template: { value: "FILE", about: "How to drive the shop; crashtest.json of this folder by default." },
    url: { value: "URL", about: "Where the shop listens, in place of the template's: http://127.0.0.1:9000." },
    env: {
      value: "NAME=TEXT",
      many: true,
      about:
        "A variable of the shop, for one with names of its own; {url}, {login}, {controlKey}, {endpointId}, {privateKeyFile} and {port} are replaced. Can be given several times."
    },
    patience: {
      value: "SECONDS",
      about: "How long the shop may take to repair an order by its own clock, in place of the template's."
    },
    list: { about: "List the faults." },
    example: { about: "Print a template to begin with." },
    ...json
  },
  examples: [
    "pay crashtest --example > crashtest.json",
    "pay crashtest -- php -S 127.0.0.1:9000 shop.php",
    "pay crashtest --seed 7 --case 318 -- php -S 127.0.0.1:9000 shop.php",
    "pay crashtest --payments 1000 --report html --env GATEWAY_URL={url} -- npm start"
  ]
} satisfies Command

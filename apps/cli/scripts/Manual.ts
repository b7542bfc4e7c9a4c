import type { Command } from "../src/Command.ts"
import * as HelpPage from "../src/HelpPage.ts"

const fence = (text: string): string => `\`\`\`text\n${text}\n\`\`\``

const start = `The program \`pay\` calls the gateway, checks signatures and runs a sandbox. In this repository:

\`\`\`sh
npm run -s pay -- --help                           # installs what is needed, then runs the program
export PATH="$PWD/node_modules/.bin:$PATH"         # the pinned Node
alias pay="'$PWD/apps/cli/bin/pay'"                # then every command below works as it is written
(cd apps/cli && tsup)                              # optional: a built program starts several times as fast
\`\`\`

\`apps/cli/bin/pay\` runs the built program if there is one, and the source if not. Build it again after a change. A built
\`apps/cli/dist\` needs no \`node_modules\`. Compiled code is kept in \`$XDG_CACHE_HOME/pay\` (\`~/.cache/pay\`).

To work with a sandbox, open four terminals, one for each command:

\`\`\`sh
pay gateway start                                       # prints the settings to export in the other terminals
pay listen --forward http://127.0.0.1:3000/callback     # receives callbacks, verifies them and passes them on
pay logs tail                                           # shows requests as they arrive
pay trigger declined --callback http://127.0.0.1:4242/  # makes an order whose callback goes to pay listen
\`\`\`

\`pay why ORDER\` then explains the order. If a command fails, \`pay doctor\` checks the settings.

Secrets are read from the environment, from files, or from standard input (\`--control-key-file -\`), never from the
command line, which others on the machine can read. Card numbers are masked in everything that is printed.`

/** docs/merchants/cli.md: how to start, and the page that `pay --help` prints. */
export const manual = (all: Readonly<Record<string, Command>>): string =>
  `${[
    "# The command line",
    "This page is generated from `apps/cli`. `pay help COMMAND` explains a command with its flags and examples. `pay help call OPERATION` explains an [operation](operations.md) with its fields.",
    start,
    fence(HelpPage.overview(all))
  ].join("\n\n")}\n`

import type { Command } from "../src/Command.ts"
import type { OperationFacts } from "../src/Contract.ts"
import * as HelpPage from "../src/HelpPage.ts"

const fence = (text: string): string => `\`\`\`text\n${text}\n\`\`\``

const start = `The program \`pay\` calls the gateway, checks signatures and runs a sandbox. In this repository:

\`\`\`sh
export PATH="$PWD/node_modules/.bin:$PATH"      # the pinned Node
node apps/cli/src/main.ts --help                # straight from the source
(cd apps/cli && tsup) && apps/cli/bin/pay --help  # built: starts several times as fast
\`\`\`

\`apps/cli/bin/pay\` runs what is built and, where nothing is, the source; build again after a change. A built
\`apps/cli/dist\` needs no \`node_modules\`. Compiled code is kept in \`$XDG_CACHE_HOME/pay\` (\`~/.cache/pay\`).

Secrets are read from the environment, from files, or from standard input (\`--control-key-file -\`), never from the
command line, which others on the machine can read. Card numbers are masked in everything that is printed.`

const commandPage = ([name, command]: readonly [string, Command]): string =>
  `### pay ${name}\n\n${fence(HelpPage.command(command))}`

const operationPage = (operation: OperationFacts): string =>
  `### pay call ${operation.command}\n\n${fence(HelpPage.operation(operation))}`

/** docs/cli.md: the same text that `pay help` prints. */
export const manual = (all: Readonly<Record<string, Command>>, operations: ReadonlyArray<OperationFacts>): string =>
  `${[
    "# The command line",
    "Written from `apps/cli` and `packages/schema`; change it there.",
    start,
    fence(HelpPage.overview(all)),
    "## Commands",
    ...Object.entries(all).map(commandPage),
    "## Operations",
    ...operations.map(operationPage)
  ].join("\n\n")}\n`

import type { Command } from "../src/Command.ts"
import type { OperationFacts } from "../src/Contract.ts"
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

const written = "This page is generated from `apps/cli` and `packages/schema`."

const page = (title: string, text: string, back: string): string =>
  `# ${title}\n\n${written} [All commands](${back})\n\n${fence(text)}\n`

const operationFile = (command: string): string => `call/${command.replaceAll("/", "-")}.md`

const table = (first: string, rows: ReadonlyArray<readonly [name: string, link: string, about: string]>): string =>
  [
    `| ${first} | does |`,
    "|---|---|",
    ...rows.map(([name, link, about]) => `| [\`${name}\`](cli/${link}) | ${about.replaceAll("|", "\\|")} |`)
  ].join("\n")

/** docs/cli.md and a page for each command and each operation: the same text that `pay help` prints. */
export const manual = (
  all: Readonly<Record<string, Command>>,
  operations: ReadonlyArray<OperationFacts>
): Readonly<Record<string, string>> => ({
  "docs/cli.md": `${[
    "# The command line",
    written,
    start,
    fence(HelpPage.overview(all)),
    "## Commands",
    table(
      "command",
      Object.entries(all).map(([name, { summary }]) => [`pay ${name}`, `${name}.md`, summary])
    ),
    "## Operations",
    table(
      "`pay call`",
      operations.map(({ command, summary }) => [command, operationFile(command), summary])
    )
  ].join("\n\n")}\n`,
  ...Object.fromEntries(
    Object.entries(all).map(([name, command]) => [
      `docs/cli/${name}.md`,
      page(`pay ${name}`, HelpPage.command(command), "../cli.md")
    ])
  ),
  ...Object.fromEntries(
    operations.map((operation) => [
      `docs/cli/${operationFile(operation.command)}`,
      page(`pay call ${operation.command}`, HelpPage.operation(operation), "../../cli.md")
    ])
  )
})

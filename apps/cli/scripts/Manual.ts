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

A day of work against a sandbox takes four terminals:

\`\`\`sh
pay gateway start                                       # prints the settings to export
pay listen --forward http://127.0.0.1:3000/callback     # callbacks, verified and passed on
pay logs tail                                           # requests as they arrive
pay trigger declined --callback http://127.0.0.1:4242/  # then pay why ORDER; pay doctor where nothing works
\`\`\`

Secrets are read from the environment, from files, or from standard input (\`--control-key-file -\`), never from the
command line, which others on the machine can read. Card numbers are masked in everything that is printed.`

const written = "Written from `apps/cli` and `packages/schema`; change it there."

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

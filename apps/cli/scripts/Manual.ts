import type { Command } from "../src/command/Command.ts"
import * as HelpPage from "../src/help/HelpPage.ts"

const fence = (text: string): string => `\`\`\`text\n${text}\n\`\`\``

const start = `The program \`pay\` calls the gateway, checks signatures and runs a sandbox. [A file of a release](files-of-a-release.md)
installs it into a project, where \`npx pay\` runs each command of this page. In a clone of the repository, without an installation:

\`\`\`sh
npm run -s pay -- --help                           # installs what is needed, then runs the program
export PATH="$PWD/node_modules/.bin:$PATH"         # the pinned Node
alias pay="'$PWD/apps/cli/bin/pay.js'"                # then every command works as it is written here
(cd apps/cli && tsup)                              # optional: a built program starts several times as fast
\`\`\`

\`apps/cli/bin/pay.js\` runs the built program if there is one, and the source if not. Build it again after a change. A built
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
command line, which others on the machine can read. Card numbers are masked in everything that is printed. \`PAY_PROFILE\` names the
\`pay profile\` to use, and \`PAY_DOCS_URL\` the address below which \`pay open\` finds documents.`

const cell = (text: string): string => text.replaceAll("|", "\\|")

/** A flag that as many commands have is called one of most commands. */
const most = 8

/** A row for each flag: what it means, for each command that gives it a meaning of its own. */
const flagRows = (all: Readonly<Record<string, Command>>): ReadonlyArray<string> => {
  const meanings = Object.entries(all).flatMap(([command, { flags }]) =>
    Object.entries(flags).map(([flag, { about, value }]) => ({
      flag: [`--${flag}`, value].filter(Boolean).join(" "),
      about,
      command
    }))
  )
  return [...Map.groupBy(meanings, ({ flag }) => flag)].toSorted().map(([flag, own]) => {
    const texts = [...Map.groupBy(own, ({ about }) => about)].map(([about, uses]) => {
      const commands =
        uses.length >= most ? "most commands" : uses.map(({ command }) => `\`pay ${command}\``).join(", ")
      return `${commands}: ${cell(about)}`
    })
    return `| \`${cell(flag)}\` | ${texts.join("<br>")} |`
  })
}

/** docs/merchants/cli.md: how to start, the page that `pay --help` prints, and all flags. */
export const manual = (all: Readonly<Record<string, Command>>): string =>
  `${[
    "# The command line",
    "This page is generated from `apps/cli`. `pay help COMMAND` explains a command with its flags and examples. `pay help call OPERATION` explains an [operation](operations.md) with its fields.",
    start,
    fence(HelpPage.overview(all)),
    "## Flags",
    ["| flag | commands, and what it is for |", "|---|---|", ...flagRows(all)].join("\n")
  ].join("\n\n")}\n`

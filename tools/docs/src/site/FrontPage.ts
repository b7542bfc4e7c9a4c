/** The first page of the site and of the folder `docs`: what it is, two commands, and the first pages of the three shelves. */
import { posix } from "node:path"
import { nameOf, type Page, type Shelf } from "./Page.ts"

const source = "docs/README.md"

const link = (page: Page): string => `[${nameOf(page)}](${posix.relative("docs", page.source)})`

const shelf = ({ about, groups, title }: Shelf): ReadonlyArray<string> => [
  `## ${title}`,
  about,
  groups
    .filter(({ isClosed = false }) => !isClosed)
    .map((group) => `- **${group.title}**: ${group.pages.map(link).join(" · ")}`)
    .join("\n")
]

const write = (shelves: ReadonlyArray<Shelf>): string =>
  `${[
    "# Card payments and payouts, server to server",
    "A toolkit for merchants, a gateway, and a sandbox of the same gateway with a simulated bank. The search of the documentation site finds every field, setting, error code and flag by its name.",
    "```sh\nnpm start              # the sample shop on a sandbox: http://127.0.0.1:8090\nnpm run docs:site      # these pages as a site: http://127.0.0.1:8070\n```",
    "[Quick start](merchants/quick-start.md) leads to a verified payment with 3-D Secure. Look up: [operations](merchants/operations.md) · [error codes](merchants/error-codes.md) · [settings](operators/configuration.md) · [commands](merchants/cli.md).",
    ...shelves.flatMap(shelf)
  ].join("\n\n")}\n`

export const page = (shelves: ReadonlyArray<Shelf>): Page => ({ source, path: "index.md", markdown: write(shelves) })

/** The first page of the site: what it is, two commands, and the first pages of the three shelves. */
import { nameOf, type Shelf } from "./Page.ts"

const shelf = ({ about, groups, title }: Shelf): ReadonlyArray<string> => [
  `## ${title}`,
  "",
  about,
  "",
  ...groups
    .filter(({ isClosed = false }) => !isClosed)
    .map(
      (group) => `- **${group.title}**: ${group.pages.map((page) => `[${nameOf(page)}](./${page.path})`).join(" · ")}`
    ),
  ""
]

export const write = (shelves: ReadonlyArray<Shelf>): string =>
  [
    "---",
    "title: Documentation",
    "aside: false",
    "---",
    "# Card payments and payouts, server to server",
    "",
    "A toolkit for merchants, a gateway, and a sandbox of the same gateway with a simulated bank. Search finds every field, setting, error code and flag by its name.",
    "",
    "```sh",
    "npm start            # the sample shop on a sandbox: http://127.0.0.1:8090",
    "```",
    "",
    "[Quick start](./merchants/quick-start.md) leads to a verified payment with 3-D Secure. Look up: [operations](./merchants/operations/index.md) · [error codes](./merchants/error-codes.md) · [settings](./operators/configuration.md) · [commands](./merchants/cli.md).",
    "",
    ...shelves.flatMap(shelf)
  ].join("\n")

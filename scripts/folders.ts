/** Writes the README of each folder of packages: what the folder is, and the description of each package in it. */
import { packageFolders, packages } from "./Workspace.ts"

/** What each folder is, as its README begins. */
const introductions: Readonly<Record<(typeof packageFolders)[number], string>> = {
  packages:
    "What merchants install, from single signatures to whole payments. Only signatures: `@pay/signing`. Single calls: `@pay/transport`.\nWhole payments: `@pay/flows`. Without Effect: `@pay/client`. The last two of the\ntable are used by [durable flows](../docs/merchants/durable.md).",
  gateway: "The payment gateway, and the sandbox, which is the same gateway with a simulated bank for tests.",
  acquirers: "Adapters that connect the gateway to an acquiring bank. Another bank is connected in the same way.",
  tools:
    "What checks, shows and measures the rest. `@pay/conformance` and `@pay/vectors` are published for other gateways and clients.",
  apps: "Programs to start, and to copy from."
}

/** The packages of the toolkit in the order in which one builds on another. The other folders list their packages by name. */
const toolkit = ["signing", "schema", "transport", "flows", "client", "sqlite", "workflow-sqlite"].map(
  (name) => `packages/${name}`
)

const rowsOf = (folder: string): ReadonlyArray<string> =>
  packages
    .filter((pkg) => pkg.folder.startsWith(`${folder}/`))
    .sort((one, other) => toolkit.indexOf(one.folder) - toolkit.indexOf(other.folder))
    .map(({ folder: path, manifest: { description, name } }) => {
      const own = path.slice(folder.length + 1)
      return `| [${own}](${own}) | \`${name}\` | ${description} |`
    })

const page = (folder: (typeof packageFolders)[number]): string =>
  [
    `# ${folder}`,
    "",
    introductions[folder],
    "",
    "| folder | package | what it is for |",
    "|---|---|---|",
    ...rowsOf(folder),
    "",
    "[The layers of all packages](../docs/layers.svg), [contributing](../docs/contributors/contributing.md).",
    "",
    "<!-- Written by `npm run docs` from the package.json of each package. -->",
    ""
  ].join("\n")

/** Returns the README of each folder. */
export default async (): Promise<Record<string, string>> =>
  Object.fromEntries(packageFolders.map((folder) => [`${folder}/README.md`, page(folder)]))

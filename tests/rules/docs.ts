/** Draws `docs/layers.svg` from the layers that the rules enforce. */
import type { Generator } from "../../scripts/GeneratedFiles.ts"
import { layers } from "./Layers.ts"

interface Box {
  /** Left out: the package's own name. */
  readonly title?: string
  readonly caption: string
}

/** The boxes of the picture, from left to right in each layer. */
const boxes: Readonly<Record<string, Box>> = {
  "@pay/gateway-program": { title: "gateway/program", caption: "the server" },
  "@pay/cli": { title: "apps/cli", caption: "pay" },
  "@pay/demo": { title: "tools/demo", caption: "npm start" },
  "@pay/client": { caption: "on Promises" },
  "@pay/tests": { title: "tests/", caption: "all together" },
  "@pay/shop": { title: "apps/shop", caption: "a sample shop to copy from" },
  "@pay/server": { caption: "configuration → a running gateway" },
  "@pay/flows": { caption: "payments as durable workflows" },
  "@pay/storage": { caption: "one SQLite file, group commit" },
  "@pay/sandbox": { caption: "a simulated bank, rail and issuer" },
  "@pay/transport": { caption: "the signed client" },
  "@pay/conformance": { caption: "checks of any gateway" },
  "@pay/vectors": { caption: "signatures as data" },
  "@pay/gateway": { caption: "pure decisions, atomic commits" },
  "@pay/schema": { caption: "the contract: one value per operation" },
  "@pay/workflow-sqlite": { caption: "durable workflows on SQLite" },
  "@pay/signing": { caption: "control, OAuth, explain" },
  "@pay/sqlite": { caption: "group commit on SQLite" }
}

/** Packages that import everything and that nothing imports. */
const omitted: ReadonlySet<string> = new Set(["@pay/bench", "@pay/examples", "@pay/docs"])

const colors = ["#475569", "#b45309", "#1d4ed8", "#0f766e", "#7c3aed", "#64748b", "#334155"]
const [left, right, top, height, gap] = [60, 892, 24, 60, 12]

const text = (x: number, y: number, size: number, fill: string, content: string, weight = "") =>
  `<text x="${Math.round(x)}" y="${y}" font-size="${size}"${weight} fill="${fill}" text-anchor="middle">${content}</text>`

const box = (name: string, { caption, title = name }: Box, x: number, y: number, width: number, fill: string) => [
  `<rect x="${Math.round(x)}" y="${y}" width="${Math.round(width)}" height="${height}" rx="9" fill="${fill}"/>`,
  text(x + width / 2, y + 26, 16, "#fff", title, ' font-weight="600"'),
  text(x + width / 2, y + 46, 12.5, "#fff", caption)
]

const row = (layer: number, at: number): ReadonlyArray<string> => {
  const names = Object.keys(boxes).filter((name) => layers[name] === layer)
  const y = top + at * (height + gap)
  const width = (right - left - gap * (names.length - 1)) / names.length
  return [
    text(34, y + 36, 13, "#64748b", String(layer)),
    ...names.flatMap((name, index) => {
      const { [name]: content } = boxes
      return content === undefined
        ? []
        : box(name, content, left + index * (width + gap), y, width, colors[layer] ?? "#475569")
    })
  ]
}

const picture = (): string => {
  const missing = Object.keys(layers).filter((name) => boxes[name] === undefined && !omitted.has(name))
  if (missing.length > 0) throw new Error(`tests/rules/docs.ts draws no box for ${missing.join(", ")}`)
  const shown = Object.entries(layers).filter(([name]) => boxes[name] !== undefined)
  const order = [...new Set(shown.map(([, layer]) => layer))].sort((one, other) => other - one)
  const bottom = top + order.length * (height + gap)
  const note =
    "A package imports only from lower layers. Client and gateway never import each other; both import the contract."
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 920 ${bottom + 26}" font-family="ui-sans-serif,system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif" role="img" aria-label="The layers of the repository: each package imports only from lower layers">`,
    `<rect width="920" height="${bottom + 26}" rx="14" fill="#f8fafc"/>`,
    ...order.flatMap(row),
    text(460, bottom + 10, 12.5, "#64748b", note),
    "</svg>"
  ].join("\n")}\n`
}

const generate: Generator = async () => ({ "docs/layers.svg": picture() })
export default generate

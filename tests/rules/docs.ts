/** Draws `docs/layers.svg` from the layers that the rules enforce. */
import type { Generator } from "../../scripts/GeneratedFiles.ts"
import { packages } from "../../scripts/Workspace.ts"
import { layers } from "./Layers.ts"

/** The boxes of the picture with their captions, from left to right in each layer. */
const captions: Readonly<Record<string, string>> = {
  "@pay/client": "payments on Promises, for programs without Effect",
  "@pay/cli": "the command pay",
  "@pay/gateway-program": "the gateway as programs",
  "@pay/shop": "the sample server, to copy from",
  "@pay/server": "one configuration file → a running gateway",
  "@pay/flows": "whole payments as workflows, with 3-D Secure",
  "@pay/adyen": "Adyen as the gateway's bank",
  "@pay/crashtest": "crash-tests a shop in any language",
  "@pay/sandbox": "a simulated bank, payout rail and card issuer",
  "@pay/storage": "the store on SQLite and on PostgreSQL",
  "@pay/transport": "single signed calls",
  "@pay/gateway": "pure decisions, one commit for each",
  "@pay/conformance": "checks of any gateway",
  "@pay/vectors": "signatures as data",
  "@pay/schema": "the contract: each operation is one value",
  "@pay/workflow-sqlite": "durable workflows on SQLite",
  "@pay/signing": "signatures, and why one does not match",
  "@pay/sqlite": "group commit on SQLite"
}

/** Packages that import everything and that nobody installs. */
const omitted: ReadonlySet<string> = new Set(["@pay/bench", "@pay/demo", "@pay/docs", "@pay/examples", "@pay/tests"])

/** The fill of a box, by the folder of its package. */
const colors: Readonly<Record<string, string>> = {
  packages: "#1d4ed8",
  gateway: "#0f766e",
  acquirers: "#7c3aed",
  tools: "#64748b",
  apps: "#b45309"
}

const [left, right, top, height, gap, padding] = [60, 892, 24, 76, 12, 12]
const captionSize = 13
/** A generous width of a character of a caption, so that a caption fits in every font of the list. */
const characterWidth = captionSize * 0.56

const text = (x: number, y: number, size: number, fill: string, content: string, weight = "") =>
  `<text x="${Math.round(x)}" y="${y}" font-size="${size}"${weight} fill="${fill}" text-anchor="middle">${content}</text>`

/** Breaks a caption into lines that fit into a box of this width. */
const linesOf = (caption: string, width: number): ReadonlyArray<string> => {
  const most = Math.floor((width - 2 * padding) / characterWidth)
  const lines: Array<string> = []
  for (const word of caption.split(" ")) {
    const longer = [...lines.slice(-1), word].join(" ")
    if (longer.length <= most) lines.splice(-1, 1, longer)
    else lines.push(word)
  }
  if (lines.length > 2 || lines.some(({ length }) => length > most))
    throw new Error(`tests/rules/docs.ts: shorten "${caption}", which does not fit into its box`)
  return lines
}

const box = (name: string, x: number, y: number, width: number) => {
  const { folder = "", manifest } = packages.find((pkg) => pkg.manifest.name === name) ?? {}
  const lines = linesOf(captions[name] ?? "", width)
  const first = y + (lines.length === 1 ? 33 : 26)
  return [
    `<rect x="${Math.round(x)}" y="${y}" width="${Math.round(width)}" height="${height}" rx="9" fill="${colors[folder.split("/")[0] ?? ""]}"/>`,
    text(x + width / 2, first, 16, "#fff", manifest?.private ? folder : name, ' font-weight="600"'),
    ...lines.map((line, index) => text(x + width / 2, first + 21 + 17 * index, captionSize, "#fff", line))
  ]
}

const row = (layer: number, at: number): ReadonlyArray<string> => {
  const names = Object.keys(captions).filter((name) => layers[name] === layer)
  const y = top + at * (height + gap)
  const width = (right - left - gap * (names.length - 1)) / names.length
  return [
    text(34, y + height / 2 + 5, 13, "#64748b", String(layer)),
    ...names.flatMap((name, index) => box(name, left + index * (width + gap), y, width))
  ]
}

/** Says which folder has which color. */
const legend = (y: number): ReadonlyArray<string> =>
  Object.entries(colors).flatMap(([folder, fill], index) => [
    `<rect x="${left + index * 100}" y="${y - 11}" width="12" height="12" rx="3" fill="${fill}"/>`,
    `<text x="${left + index * 100 + 18}" y="${y}" font-size="${captionSize}" fill="#475569">${folder}/</text>`
  ])

const picture = (): string => {
  const missing = Object.keys(layers).filter((name) => captions[name] === undefined && !omitted.has(name))
  if (missing.length > 0) throw new Error(`tests/rules/docs.ts draws no box for ${missing.join(", ")}`)
  const shown = Object.entries(layers).filter(([name]) => captions[name] !== undefined)
  const order = [...new Set(shown.map(([, layer]) => layer))].sort((one, other) => other - one)
  const bottom = top + order.length * (height + gap) + 14
  const note = "A package imports only from lower layers."
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 920 ${bottom + 18}" font-family="ui-sans-serif,system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif" role="img" aria-label="The layers of the repository: each package imports only from lower layers">`,
    `<rect width="920" height="${bottom + 18}" rx="14" fill="#f8fafc"/>`,
    ...order.flatMap(row),
    ...legend(bottom),
    `<text x="${right}" y="${bottom}" font-size="${captionSize}" fill="#475569" text-anchor="end">${note}</text>`,
    "</svg>"
  ].join("\n")}\n`
}

const generate: Generator = async () => ({ "docs/layers.svg": picture() })
export default generate

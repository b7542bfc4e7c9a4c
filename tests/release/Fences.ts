/** A piece of TypeScript in a Markdown text, and the line of the text on which it begins. */
export interface Fence {
  readonly line: number
  readonly code: string
  /** The file that the piece is, if its first line says so: `// shop.ts`. Pieces of one text import each other by these names. */
  readonly name?: string
}

const named = (code: string): Pick<Fence, "name"> => {
  const [, name] = /^\/\/ (\w+\.ts)\n/.exec(code) ?? []
  return name === undefined ? {} : { name }
}

const lineOf = (markdown: string, { index }: RegExpMatchArray): number => markdown.slice(0, index).split("\n").length

/** Returns the blocks of TypeScript, and the programs that a block of the shell writes: `cat > main.ts <<'END'`. */
export const fences = (markdown: string): ReadonlyArray<Fence> => [
  ...[...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => {
    const code = match[1] ?? ""
    return { line: lineOf(markdown, match), code, ...named(code) }
  }),
  ...[...markdown.matchAll(/^cat > (\w+\.ts) <<'END'\n([\s\S]*?)^END$/gm)].map((match) => {
    const [, name = "", code = ""] = match
    return { line: lineOf(markdown, match), code, name }
  })
]

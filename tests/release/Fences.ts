/** A piece of TypeScript in a Markdown text, and the line of the text on which it begins. */
export interface Fence {
  readonly line: number
  readonly code: string
}

export const fences = (markdown: string): ReadonlyArray<Fence> =>
  [...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => ({
    line: markdown.slice(0, match.index).split("\n").length,
    code: match[1] ?? ""
  }))

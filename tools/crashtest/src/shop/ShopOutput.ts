/**
 * What a shop prints: its last lines, and the lines with card numbers. It takes everything at once, so that a shop never waits for
 * its reader, and keeps little of it.
 */
import * as CardNumbers from "./CardNumbers.ts"

const mostLines = 200
const longestLine = 400
/** Lines with card numbers that are kept of one place, and how much of the line is. */
const mostLeaks = 20
const aroundLeak = 120

/** Searches a stream in pieces for numbers, also for those that are in two pieces. */
export class LeakSearch {
  readonly #cardData: CardNumbers.CardData
  readonly #pattern: RegExp
  readonly #lines = new Set<string>()
  #tail = ""

  constructor(cardData: CardNumbers.CardData) {
    this.#cardData = cardData
    this.#pattern = CardNumbers.pattern(cardData.numbers)
  }

  /** Each line with a number once, masked. */
  get lines(): ReadonlyArray<string> {
    return [...this.#lines]
  }

  get isFull(): boolean {
    return this.#lines.size >= mostLeaks
  }

  add(piece: Uint8Array): void {
    if (this.isFull) return
    const text = this.#tail + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("latin1")
    for (const { 0: number, index } of text.matchAll(this.#pattern)) {
      if (index + number.length <= this.#tail.length || this.isFull) continue
      const before =
        text
          .slice(Math.max(0, index - aroundLeak), index)
          .split(/[\r\n]/)
          .at(-1) ?? ""
      const [after = ""] = text.slice(index + number.length, index + number.length + aroundLeak).split(/[\r\n]/)
      // A number that is cut at an end of what is shown would not be recognised there.
      this.#lines.add(printable(this.#masked(before, number, after)))
    }
    this.#tail = text.slice(-CardNumbers.longestText)
  }

  #masked(before: string, number: string, after: string): string {
    return CardNumbers.masked(`${withoutPart(before)}${number}${withoutPart(after)}`, this.#cardData)
  }
}

/** Text beside a number without a part of a further number at its cut end. */
const withoutPart = (text: string): string =>
  text.length < aroundLeak ? text : text.replace(/^[\d\s%-]+/, "…").replace(/(?<![\d\s%-])[\d\s%-]+$/, "…")

const printable = (text: string): string => text.replace(/[^ -~\u00a0-\u00ff…]/g, "·").trim()

/** The output of one shop, also across its restarts. */
export class ShopOutput {
  readonly #cardData: CardNumbers.CardData
  readonly #lines: Array<string> = []
  readonly #leaks: Array<LeakSearch> = []

  constructor(cardData: CardNumbers.CardData) {
    this.#cardData = cardData
  }

  /** Returns a function that takes the pieces of one more stream. */
  stream(): (piece: Uint8Array) => void {
    const search = new LeakSearch(this.#cardData)
    this.#leaks.push(search)
    const decoder = new TextDecoder()
    let open = false
    return (piece) => {
      search.add(piece)
      const lines = decoder
        .decode(piece, { stream: true })
        .split("\n")
        .slice(-mostLines - 1)
      for (const [index, line] of lines.entries()) {
        const last = this.#lines.at(-1) ?? ""
        if (index === 0 && open) this.#lines[this.#lines.length - 1] = (last + line).slice(0, longestLine)
        else if (line !== "" || index < lines.length - 1) this.#lines.push(line.slice(0, longestLine))
      }
      open = lines.at(-1) !== ""
      this.#lines.splice(0, this.#lines.length - mostLines)
    }
  }

  /** Its last lines, masked. */
  last(count: number): string {
    return CardNumbers.masked(this.#lines.slice(-count).join("\n"), this.#cardData)
  }

  /** Each line with a card number once, masked. */
  get leaks(): ReadonlyArray<string> {
    return [...new Set(this.#leaks.flatMap(({ lines }) => lines))].slice(0, mostLeaks)
  }

  /** The streams of a shop that has ended: only what they number is kept. */
  closed(): void {
    const withLeaks = this.#leaks.filter(({ lines }) => lines.length > 0).slice(0, mostLeaks)
    this.#leaks.splice(0, this.#leaks.length, ...withLeaks)
  }
}

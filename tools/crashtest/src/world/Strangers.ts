/** Answers to other orders, for a proxy that mixes up connections. */

import type { Order } from "../plan/Payment.ts"
import type { Answer } from "./AnswerFacts.ts"
import * as AnswerFacts from "./AnswerFacts.ts"

interface Kept {
  readonly order: string
  readonly answer: Answer
}

/** Answers that are kept of each operation: one more than the order's own. */
const mostKept = 2

/** Returns the text with another last digit of each number, so that it is about somebody else's order. */
const renumbered = (text: string, numbers: ReadonlyArray<string>): string =>
  numbers.reduce((changed, number) => {
    const last = (Number(number.at(-1)) + 1) % 10
    return changed.replaceAll(number, `${number.slice(0, -1)}${last}`)
  }, text)

/** The answer to a stranger who asked the same. */
const canned = (own: Answer): Answer => {
  const fields = AnswerFacts.fieldsOf(own)
  const { "merchant-order-id": name = "" } = fields
  const text = renumbered(own.body.toString(), AnswerFacts.numbersOf(fields))
  return { ...own, body: Buffer.from(name === "" ? text : text.replaceAll(name, "strangers-order")) }
}

export class Strangers {
  readonly #kept = new Map<string, Array<Kept>>()

  /** Keeps the answer to an operation of an order. */
  keep({ name }: Order, operation: string, answer: Answer): void {
    if (answer.status !== 200) return
    const others = (this.#kept.get(operation) ?? []).filter(({ order }) => order !== name)
    this.#kept.set(operation, [...others, { order: name, answer }].slice(-mostKept))
  }

  /** Returns the answer that another order got to this operation, or that of a stranger. */
  answer({ name }: Order, operation: string, own: Answer): Answer {
    const others = (this.#kept.get(operation) ?? []).filter(({ order }) => order !== name)
    return others.at(-1)?.answer ?? canned(own)
  }

  forget({ name }: Order): void {
    for (const [operation, kept] of this.#kept) {
      const others = kept.filter(({ order }) => order !== name)
      if (others.length === 0) this.#kept.delete(operation)
      else this.#kept.set(operation, others)
    }
  }
}

/**
 * Folds requests that only ask again: a merchant who polls the status of an order sends the same request every few seconds, between
 * which the others would not be seen. A request is shown once, and again if its answer changes; equal ones are counted.
 */
import type { operations } from "@pay/gateway/OperatorApi"
import * as PayApi from "@pay/schema/PayApi"

type Row = (typeof operations.listRequests)["answer"]["Encoded"]["requests"][number]

/** Names of the operations that change nothing. */
const reading: ReadonlySet<string> = new Set(PayApi.all.filter(({ acts }) => acts === "reads").map(({ name }) => name))

/** The question of a request: its operation and its order. */
const questionOf = ({ endpoint, merchant, merchantOrder, operation, order }: Row): string =>
  JSON.stringify([operation, endpoint, merchant, merchantOrder, order])

/** What must not change: the answer, and who asks, because another may have the merchant's key. */
const answerOf = ({ address, code, fields, key, signature, status }: Row): string =>
  JSON.stringify([status, code, signature, fields, address, key])

/** The requests with one question: their last answer, the last of them, and how many of them were not shown. */
interface Folded {
  readonly answer: string
  readonly row: Row
  readonly equal: number
}

/** Most questions that are remembered. The oldest ones are forgotten first. */
const MOST_QUESTIONS = 1000

export interface RequestFolding {
  /** Whether the request is shown, and how many equal ones were not shown before it. */
  readonly take: (row: Row) => { readonly isShown: boolean; readonly equal: number }
  /** Returns the last request of each question of which some were not shown, and forgets their number. */
  readonly rest: () => ReadonlyArray<Pick<Folded, "equal" | "row">>
}

export const make = (isFolding: boolean): RequestFolding => {
  const questions = new Map<string, Folded>()
  const put = (question: string, folded: Folded) => {
    questions.delete(question)
    questions.set(question, folded)
    const [oldest] = questions.keys()
    if (questions.size > MOST_QUESTIONS && oldest !== undefined) questions.delete(oldest)
  }
  return {
    take: (row) => {
      if (!isFolding || (row.operation !== null && !reading.has(row.operation))) return { isShown: true, equal: 0 }
      const question = questionOf(row)
      const answer = answerOf(row)
      const former = questions.get(question)
      const isShown = former?.answer !== answer
      put(question, { answer, row, equal: isShown ? 0 : (former?.equal ?? 0) + 1 })
      return { isShown, equal: isShown ? (former?.equal ?? 0) : 0 }
    },
    rest: () => {
      const rest = [...questions].filter(([, { equal }]) => equal > 0)
      for (const [question, folded] of rest) questions.set(question, { ...folded, equal: 0 })
      return rest.map(([, folded]) => folded)
    }
  }
}

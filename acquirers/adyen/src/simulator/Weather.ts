/** What the simulated Adyen does wrong with the next request about money, so that a test sees what the gateway makes of it. */

export const faults = [
  /** The request is done, and the connection is cut before its answer. */
  "answerCut",
  /** The connection is cut before the request is read. */
  "requestCut",
  /** The answer names another payment's reference. */
  "otherReference",
  /** The answer has another currency. */
  "otherCurrency",
  /** Only a part of the amount is authorised. */
  "partial",
  /** The answer has a result that the documentation lacks. */
  "unknownResult",
  /** The answer is no JSON. */
  "garbled",
  /** The answer has HTTP status 500, and nothing says whether the request was done. */
  "serverError",
  /** The answer says that the request had no effect and may be sent again. */
  "transientError",
  /** The event is delivered before the answer. */
  "eventFirst",
  /** The event is delivered twice. */
  "eventTwice",
  /** The event is kept back until it is released. */
  "eventLate"
] as const
export type Fault = (typeof faults)[number]

/** A list of faults, one for each of the next requests. */
export const make = () => {
  const waiting: Array<Fault | undefined> = []
  return {
    /** Adds what happens to the next request that has nothing yet; undefined: nothing. */
    next: (...faults: ReadonlyArray<Fault | undefined>) => void waiting.push(...faults),
    take: (): Fault | undefined => waiting.shift()
  }
}

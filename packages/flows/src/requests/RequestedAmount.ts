/**
 * Compares the money of an order, as `status` reports it, with the money that its request asked for. A gateway that lacks a field, or
 * writes text in it that is no amount, says nothing by it.
 */
import * as Money from "@pay/schema/Money"
import { Result } from "effect"
import * as OrderKind from "../order/OrderKind.ts"
import type { OrderStatus } from "../order/OrderStatus.ts"
import type * as Ask from "./Ask.ts"

/** The request that asked for the money: its operation, and its fields under the specification's names. */
export type MoneyRequest = Pick<Ask.Target, "operation" | "request">

/**
 * Returns what the order reports otherwise than it was requested, with both sums, or `undefined` if nothing differs. After a later
 * capture, void or refund an order may report less than was requested, but never more.
 */
export const difference = (target: MoneyRequest, order: OrderStatus): string | undefined => {
  const sums = sumsOf(target)
  if (sums === undefined) return undefined
  const currency = order.currency?.trim().toUpperCase()
  const isOther = sums.currency !== undefined && isCode(currency) && currency !== sums.currency
  const reported = reportedOf(target, order).find(
    (each) => isOther || !sums.amounts.some((sum) => fits(each, sum, sums))
  )
  if (reported === undefined && !isOther) return undefined
  const money = [reported?.text ?? "", currency ?? sums.currency ?? ""].filter((word) => word !== "").join(" ")
  return `the gateway reports ${reported?.what ?? "the currency"} ${money}, and ${writtenSums(sums)} was requested`
}

/** Returns the requested money in words: `10.42 USD`, or `10.00 or 5.00 USD` for a list of amounts. */
export const requested = (target: MoneyRequest): string => {
  const sums = sumsOf(target)
  return sums === undefined ? "any amount" : writtenSums(sums)
}

/** The amounts of which the order may have one, and their currency if the request has one. */
interface Sums {
  readonly amounts: ReadonlyArray<string>
  readonly currency: string | undefined
}

const writtenSums = ({ amounts, currency = "" }: Sums): string => `${amounts.join(" or ")} ${currency}`.trim()

/** Returns the requested sums. Returns `undefined` if the request lets the gateway choose the amount. */
const sumsOf = ({ operation, request }: MoneyRequest): Sums | undefined => {
  // The first order of a recurring payment that starts later checks the card.
  if (request["start-date"] !== undefined) return undefined
  const { amount, currency, enumerate_amounts: list } = request
  if (typeof amount === "string" && read(amount) !== undefined) {
    const amounts = [amount, ...(typeof list === "string" ? Money.list(list) : [])]
    return { amounts, currency: typeof currency === "string" ? currency.trim().toUpperCase() : undefined }
  }
  // Verifications ask for no money.
  return operation.acts === "creates" && operation.fields.amount === undefined
    ? { amounts: ["0"], currency: undefined }
    : undefined
}

/** One sum that an order reports. */
interface Reported {
  readonly what: string
  readonly text: string
  /** How it may differ from what was requested. */
  readonly may: "be less" | "be more" | "not differ"
}

/** Returns the sums that the order reports. An order without a hold, or whose capture has not ended, may report zeros of them. */
const reportedOf = ({ operation }: MoneyRequest, order: OrderStatus): ReadonlyArray<Reported> => {
  const { amount, authorizedAmount, capturedAmount, returnedAmount, transactionType } = order
  const sum = (what: string, text: string | undefined, may: Reported["may"]): ReadonlyArray<Reported> => {
    const value = read(text)
    return value === undefined ? [] : [{ what, text: value, may }]
  }
  const some = (what: string, text: string | undefined, may: Reported["may"]) =>
    isMoney(text) ? sum(what, text, may) : []
  if (operation.name === "CAPTURE")
    return [...sum("the amount", amount, "not differ"), ...some("the captured amount", capturedAmount, "be more")]
  if (operation.name === "RETURN")
    return [...sum("the amount", amount, "not differ"), ...some("the returned amount", returnedAmount, "be more")]
  const isCaptured = transactionType === "capture" || isMoney(capturedAmount)
  const isLater = isChangedLater(order) || (OrderKind.isHold(operation.name, transactionType) && isCaptured)
  const may = isLater ? "be less" : "not differ"
  return [
    ...sum("the amount", amount, may),
    ...some("the authorized amount", authorizedAmount, may),
    ...some("the captured amount", capturedAmount, may)
  ]
}

const laterTypes: ReadonlySet<string | undefined> = new Set(["cancel", "reversal", "chargeback", "fraud"])

/** Whether money of the order has been given back, or its hold released. */
const isChangedLater = ({ returnedAmount, transactionType }: OrderStatus): boolean =>
  laterTypes.has(transactionType) || isMoney(returnedAmount)

const fits = ({ may, text }: Reported, sum: string, { currency }: Sums): boolean =>
  read(text) === read(sum) ||
  (may === "be less" && isLess(text, sum, currency)) ||
  (may === "be more" && isLess(sum, text, currency))

/** Returns the amount without needless digits, or `undefined` if the text is no amount. */
const read = (text: string | undefined): string | undefined => {
  const amount = Money.canonical(text?.trim() ?? "")
  return Money.isAmountOrZero(amount) ? amount : undefined
}

/** Whether the text is an amount above zero. */
const isMoney = (text: string | undefined): boolean => Money.isAmount(read(text) ?? "")

/** Whether the text is the code of a currency. A gateway may write another name, which says nothing. */
const isCode = (currency: string | undefined): boolean => /^[A-Z]{3}$/.test(currency ?? "")

const isLess = (one: string, other: string, currency = ""): boolean => {
  const [oneMinor, otherMinor] = [one, other].map((text) => Result.getOrUndefined(Money.toMinorOrZero(text, currency)))
  return oneMinor !== undefined && otherMinor !== undefined && oneMinor < otherMinor
}

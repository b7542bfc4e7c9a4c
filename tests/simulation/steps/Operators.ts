/** Actions of operators and approvers. Operators state what the bank told them. */
import { createPrivateKey } from "node:crypto"
import type { Chance } from "@pay/crashtest/Chance"
import { OrderRequest } from "@pay/gateway/Entities"
import * as Settings from "@pay/gateway/Settings"
import { merchant } from "@pay/sandbox/SandboxMerchant"
import { declines } from "@pay/schema/Decline"
import * as Approval from "@pay/signing/Approval"
import { Schema } from "effect"
import { BankTask } from "../../../gateway/gateway/src/orders/record/BankTask.ts"
import type { Answer, Booking } from "../../../gateway/sandbox/src/Booking.ts"
import { names } from "../Operators.ts"
import type { SimulationRun } from "../SimulationRun.ts"
import * as BankFaults from "./BankFaults.ts"
import { ask, pick, type Reply, sendAll, sendBoth } from "./OperatorRequests.ts"
import { merchantOfOurs } from "./ProcessFaults.ts"
import type { Step } from "./Step.ts"

const Orders = Schema.Struct({ orders: Schema.Array(Schema.Struct({ id: Schema.String })) })
const Callbacks = Schema.Struct({ callbacks: Schema.Array(Schema.Struct({ id: Schema.String })) })
const Tasks = Schema.Struct({
  tasks: Schema.Array(Schema.Struct({ id: Schema.String, reference: Schema.String, can: Schema.Array(Schema.String) }))
})
const Proposal = Schema.Struct({ proposal: Schema.String })
const Proposed = Schema.Struct({ digest: Schema.String })
const Payouts = Schema.Struct({
  payouts: Schema.Array(Schema.Struct({ order: Schema.String, amount: Schema.String, recipient: Schema.String }))
})
const Paged = Schema.Struct({ next: Schema.optionalKey(Schema.String) })

/** The time during which the gateway may send a request again. Operators resolve nothing earlier. */
const { resubmitWithinMs } = Settings.defaults

/** One operator enters what the bank says of a request. Returns the request by which another one confirms it, if it is to be confirmed. */
const propose = async (
  simulation: SimulationRun,
  { orderId, requestId, sequence }: Pick<OrderRequest, "orderId" | "requestId" | "sequence">,
  answer: Answer
) => {
  const as = answer._tag === "Approved" ? "approved" : "declined"
  const statement = {
    as,
    request: requestId,
    evidence: `by telephone about request ${sequence}`,
    ...(answer._tag === "Approved" ? { approvalCode: answer.approvalCode, processorTxId: answer.processorTxId } : {})
  }
  const path = `/operator/orders/${orderId}`
  const proposal = await ask(simulation, { by: "ada", target: `${path}/resolve`, sent: statement })
  const digest = pick(Proposed, proposal, (proposed) => proposed.digest)
  return digest === undefined ? undefined : { target: `${path}/confirm`, sent: { as, digest, request: requestId } }
}

/** What a bank says that has never got a request. */
const neverArrived: Answer = { ...declines.issuerTimedOut, _tag: "Declined" }

/** Operators ask the bank about everything whose outcome is unknown, and two of them enter its answers. */
export const resolveAll = async (simulation: SimulationRun): Promise<void> => {
  const { bank, committed, rail, run } = simulation.system
  for (const request of committed.rows(OrderRequest)) {
    if (request.progress !== "unknown") continue
    const { orderId, sequence } = request
    const books = [...(await run(bank.books.ofOrder(orderId))), ...(await run(rail.books.ofOrder(orderId)))]
    const booking = books.find((each) => isOf(each, sequence))
    const confirm = await propose(simulation, request, booking?.answer ?? neverArrived)
    if (confirm !== undefined) await ask(simulation, { ...confirm, by: "grace" })
  }
}

/** The bank decides an undecided request by telephone. One operator enters the answer, and the other confirms it. */
const resolve = async (simulation: SimulationRun, chance: Chance): Promise<void> => {
  const { system } = simulation
  if (chance.percent(80)) await system.pass(resubmitWithinMs)
  const latestMs = system.loop.nowMs() - (chance.percent(90) ? resubmitWithinMs : 0)
  const settled = await system.run(BankFaults.decideOne(system, chance, ({ bookedAtMs }) => bookedAtMs <= latestMs))
  const store = system.store()
  if (settled === undefined || store === undefined) return simulation.transitions.withdraw()
  const { answer, request } = settled
  const { orderId } = request
  const orderRequests = await system.run(store.find(OrderRequest, "order", { equals: [orderId], limit: 1000 }))
  const unknownRequest = orderRequests.find(
    ({ progress, sequence }) => progress === "unknown" && isOf(settled, sequence)
  )
  if (unknownRequest === undefined) return simulation.transitions.withdraw()
  const confirm = await propose(simulation, unknownRequest, answer)
  if (confirm === undefined) return simulation.transitions.withdraw()
  if (chance.percent(20)) await system.pass(chance.below(10_000))
  const again = chance.percent(30) ? [{ ...confirm, by: chance.oneOf(names) }] : []
  await sendAll(simulation, [{ ...confirm, by: "grace" }, ...again])
}

const isOf = ({ request: { reference } }: Booking, sequence: number): boolean => reference.endsWith(`-${sequence}`)

const resend = async (simulation: SimulationRun, chance: Chance): Promise<void> => {
  const state = chance.oneOf(["delivered", "dead-lettered", "pending"])
  const result = await ask(simulation, {
    by: "ada",
    method: "GET",
    target: `/operator/callbacks?state=${state}&limit=20`
  })
  const callback = pick(Callbacks, result, ({ callbacks }) => chance.someOf(callbacks))
  if (callback === undefined) return simulation.transitions.withdraw()
  await sendBoth(simulation, chance, { target: `/operator/callbacks/${callback.id}/resend` })
}

const erase = async (simulation: SimulationRun, chance: Chance): Promise<void> => {
  const result = await ask(simulation, { by: "ada", target: "/operator/orders/search", sent: { limit: 20 } })
  const order = pick(Orders, result, ({ orders }) => chance.someOf(orders))
  if (order === undefined) return simulation.transitions.withdraw()
  await sendBoth(simulation, chance, { target: `/operator/orders/${order.id}/erase` })
}

type Task = (typeof Tasks.Type)["tasks"][number]

/** One operator states what bank or rail says of the request of a task, and another one confirms it. */
const answerTask = async (simulation: SimulationRun, { id, reference }: Task): Promise<void> => {
  const { bank, rail, run } = simulation.system
  const books = [...(await run(bank.books.all)), ...(await run(rail.books.all))]
  const booking = books.find(({ request }) => request.reference === reference)
  const { answer } = booking ?? { answer: neverArrived }
  const stated =
    answer._tag === "Approved"
      ? { as: "approved", approvalCode: answer.approvalCode, processorTxId: answer.processorTxId }
      : { as: "declined" }
  const sent = { ...stated, note: `by telephone about ${reference}` }
  const proposal = await ask(simulation, { by: "ada", target: `/operator/tasks/${id}/answer`, sent })
  const confirm = pick(Proposal, proposal, (proposed) => proposed.proposal)
  if (confirm !== undefined) await ask(simulation, { by: "grace", target: `/operator/proposals/${confirm}/confirm` })
}

const settleTasks = async (simulation: SimulationRun, chance: Chance): Promise<void> => {
  const result = await ask(simulation, { by: "ada", method: "GET", target: "/operator/tasks?state=open" })
  const task = pick(Tasks, result, ({ tasks }) => chance.someOf(tasks))
  // The bank may not know yet what became of a request.
  if (task === undefined || task.can.includes("answer")) return simulation.transitions.withdraw()
  const action = task.can.includes("reverse") ? "reverse" : "close"
  const sent = { note: "the merchant knows" }
  await sendBoth(simulation, chance, { target: `/operator/tasks/${task.id}/${action}`, sent })
}

const hourMs = 3_600_000

const openTasks = async (simulation: SimulationRun): Promise<ReadonlyArray<Task>> => {
  const result = await ask(simulation, { by: "ada", method: "GET", target: "/operator/tasks?state=open&limit=1000" })
  return pick(Tasks, result, ({ tasks }) => tasks) ?? []
}

/** The answer about one attempt of a page may lead to a task about its next one. */
const mostAttempts = 6

/** Operators state what became of each request of which bank or rail could not say it. */
const answerAll = async (simulation: SimulationRun): Promise<void> => {
  for (let round = 0; round < mostAttempts; round += 1) {
    const tasks = (await openTasks(simulation)).filter(({ can }) => can.includes("answer"))
    if (tasks.length === 0) return
    for (const task of tasks) await answerTask(simulation, task)
    await simulation.system.pass(hourMs)
  }
}

/** Settles all open tasks: by a reversal at the bank where possible, and by closing the task in the last round. */
const settleOpen = async (simulation: SimulationRun, isLast: boolean): Promise<void> => {
  for (const { can, id } of await openTasks(simulation)) {
    if (can.includes("answer")) continue
    const action = can.includes("reverse") && !isLast ? "reverse" : "close"
    await ask(simulation, {
      by: "ada",
      target: `/operator/tasks/${id}/${action}`,
      sent: { note: "the merchant knows" }
    })
  }
}

/** Operators reconcile the books and settle every task. The bank answers all reversals. */
export const settleAll = async (simulation: SimulationRun, chance: Chance): Promise<void> => {
  const { bank, committed, pass, run } = simulation.system
  await ask(simulation, { by: "ada", target: "/operator/reconciliation" })
  await pass(hourMs)
  await answerAll(simulation)
  await settleOpen(simulation, false)
  await pass(hourMs)
  for (const { reversalReference, state } of committed.rows(BankTask))
    if (state === "reversing" && reversalReference !== null)
      await run(bank.forReference(reversalReference, { delivery: { _tag: "Answered" } }))
  await run(BankFaults.decideAll(simulation.system, chance))
  await pass(48 * hourMs)
  await answerAll(simulation)
  await settleOpen(simulation, true)
  // The gateway stops voiding a hold at its next attempt after the task was closed.
  await pass(48 * hourMs)
}

/** The gateway limits the decisions of approvers per minute. */
const tooMany = [429]

const { approver } = merchant
const key = createPrivateKey(approver.privateKeyPem)

/** Approves or rejects a waiting payout: once, twice, or both at the same time. */
const approve = async (simulation: SimulationRun, chance: Chance): Promise<void> => {
  const target = `/operator/payouts?merchant=${merchant.login}&state=waiting`
  const payout = pick(Payouts, await ask(simulation, { by: "ada", method: "GET", target }), ({ payouts }) =>
    chance.someOf(payouts)
  )
  // An approver approves nothing that was rejected before a restore.
  if (payout === undefined || simulation.rejected.has(payout.order)) return simulation.transitions.withdraw()
  const { amount, order: orderId, recipient } = payout
  const decisionOf = (): Approval.Decision => (chance.percent(60) ? "approve" : "reject")
  const first = decisionOf()
  const second = chance.percent(40) ? [first] : chance.percent(20) ? [decisionOf()] : []
  const requests = [first, ...second].map((decision) => {
    const statement: Approval.Statement = { decision, orderId, amount, recipient, approver: approver.name }
    const form = { decision, amount, recipient, approver: approver.name, signature: Approval.sign(statement, key) }
    return { by: undefined, target: `/approvals/${orderId}`, sent: new URLSearchParams(form), also: tooMany }
  })
  const replies = await sendAll(simulation, requests)
  const isRejected = [first, ...second].every((decision) => decision === "reject")
  if (isRejected && replies.some(({ status }) => status === 200)) simulation.rejected.add(orderId)
}

const fund = async (simulation: SimulationRun, chance: Chance, index: number): Promise<void> => {
  const { account } = merchantOfOurs(simulation.system, chance)
  const amount = `${1 + chance.below(500)}.00`
  const posting = { merchant: account.login, endpoint: account.endpoints.usd, currency: "USD", amount }
  await sendBoth(simulation, chance, {
    target: "/operator/balances",
    sent: { ...posting, reference: `funding-${index}` }
  })
}

/** The lists that operators read, and those of one merchant. */
const lists = ["audit?limit=7", "tasks?state=closed&limit=2", "callbacks?state=delivered", "merchants?", "restoration?"]
const listsOf = ["keys", "balances", "subscriptions"]

/** Reads a list page by page to its end. */
const list = async (simulation: SimulationRun, chance: Chance): Promise<void> => {
  const { login } = merchantOfOurs(simulation.system, chance).account
  const which = chance.someOf([...lists, ...listsOf.map((name) => `${name}?merchant=${login}`)]) ?? "merchants?"
  const page = (target: string) => ask(simulation, { by: "grace", method: "GET", target: `/operator/${target}` })
  const nextOf = (reply: Reply) => pick(Paged, reply, ({ next }) => next)
  let next = nextOf(await page(which))
  for (let pages = 0; next !== undefined && pages < 20; pages += 1) next = nextOf(await page(`${which}&after=${next}`))
}

/** Starts a reconciliation or a key rotation. */
const runJob = async (simulation: SimulationRun, chance: Chance): Promise<void> => {
  await sendBoth(simulation, chance, { target: chance.oneOf(["/operator/reconciliation", "/operator/keys/rotation"]) })
}

const rows: ReadonlyArray<readonly [Pick<Step, "name" | "what" | "weight">, Step["happen"]]> = [
  [
    {
      name: "resolve",
      what: "Two operators resolve an unknown request as the bank states by telephone, sometimes at the same time or twice.",
      weight: 4
    },
    resolve
  ],
  [{ name: "resend", what: "An operator resends a callback in any state.", weight: 3 }, resend],
  [{ name: "erase", what: "An operator erases the card of an order.", weight: 2 }, erase],
  [
    { name: "settleTask", what: "An operator settles a task about an unexpected answer of the bank.", weight: 1 },
    settleTasks
  ],
  [
    {
      name: "approve",
      what: "An approver approves or rejects a waiting payout, or both at the same time.",
      weight: 12
    },
    approve
  ],
  [{ name: "fund", what: "An operator funds a balance, sometimes twice under one reference.", weight: 2 }, fund],
  [{ name: "list", what: "An operator reads a list to its end.", weight: 2 }, list],
  [
    {
      name: "runJobs",
      what: "An operator starts a reconciliation or a key rotation, sometimes twice at the same time.",
      weight: 2
    },
    runJob
  ]
]

/** Operators make no mistakes here: approving what the bank declined is not a step. */
export const steps: ReadonlyArray<Step> = rows.map(([row, happen]) => ({
  ...row,
  group: "operator",
  isFault: true,
  happen
}))

/** The person who has to agree before money leaves, over a real socket. */
import { createPrivateKey, type KeyObject } from "node:crypto"
import * as NodeServer from "@pay/gateway/NodeServer"
import * as Approval from "@pay/signing/Approval"
import * as Form from "@pay/signing/Form"
import { Effect } from "effect"
import { wall } from "../../packages/schema/test/Clocks.ts"
import * as Http from "./Http.ts"
import * as TestGateway from "./TestGateway.ts"

export const { name } = TestGateway.approver
const ownKey = createPrivateKey(TestGateway.approver.privateKeyPem)

const post = Effect.fnUntraced(function* (orderId: string, fields: Readonly<Record<string, string>>) {
  const { host, port } = yield* NodeServer.NodeServer
  const url = `http://${host}:${port}/approvals${orderId === "" ? "" : `/${orderId}`}`
  const { status, text } = yield* Http.send(url, { headers: Http.form, body: Form.write(Object.entries(fields)) })
  return { status, body: Http.json(text) }
})

const wallSeconds = Effect.sync(() => Math.floor(wall.currentTimeMillisUnsafe() / 1000))

/** Everything of a merchant that waits, for an approver who signs the question. */
export const list = Effect.fnUntraced(function* (
  changes: Partial<Approval.ListRequest> = {},
  sent: Readonly<Record<string, string>> = {},
  key: KeyObject = ownKey
) {
  const nowSeconds = yield* wallSeconds
  const statement: Approval.ListRequest = {
    decision: "list",
    merchant: TestGateway.login,
    approver: name,
    timestampSeconds: nowSeconds,
    ...changes
  }
  const { approver, decision, merchant, timestampSeconds } = statement
  const signature = Approval.sign(statement, key)
  return yield* post("", { decision, merchant, approver, time: String(timestampSeconds), signature, ...sent })
})

/** What waits, for an approver who signs the question. */
export const look = Effect.fnUntraced(function* (
  orderId: string,
  changes: { readonly timestampSeconds?: number } = {},
  key: KeyObject = ownKey
) {
  const nowSeconds = yield* wallSeconds
  const { timestampSeconds = nowSeconds } = changes
  const signature = Approval.sign({ decision: "look", orderId, approver: name, timestampSeconds }, key)
  return yield* post(orderId, { decision: "look", approver: name, time: String(timestampSeconds), signature })
})

/** What a test changes: the decision, the signed statement, the sent statement. */
export interface Changes {
  readonly orderId?: string
  readonly statement?: Partial<Approval.Statement>
  readonly signed?: Partial<Approval.Statement> | Omit<Approval.ReadRequest, "orderId">
  readonly sent?: Readonly<Record<string, string>>
  readonly signature?: string
  readonly key?: KeyObject
}

/** Looks, then decides on what was seen. */
export const decide = Effect.fnUntraced(function* (
  orderId: string,
  decision: Approval.Decision,
  changes: Changes = {}
) {
  const { body } = yield* look(orderId)
  const about = changes.orderId ?? orderId
  const statement: Approval.Statement = {
    decision,
    orderId: about,
    amount: String(body.amount),
    recipient: String(body.recipient),
    approver: name,
    ...changes.statement
  }
  const signed = Object.assign({}, statement, changes.signed)
  const { orderId: _, ...fields } = statement
  const signature = changes.signature ?? Approval.sign(signed, changes.key ?? ownKey)
  return yield* post(about, { ...fields, signature, ...changes.sent })
})

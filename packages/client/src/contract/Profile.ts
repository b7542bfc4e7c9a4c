/** The profile of one kind of gateway, as a value. Its types need no other package. */
import type { OperationName } from "./Api.ts"

/** The profile of a gateway. What it leaves out follows the specification, or the announcement in the gateway's answers. */
export interface Profile {
  /** The form of answers: `json` is the specification's, `pairs` is that of the older dialect. */
  readonly answers?: "json" | "pairs"
  /** Statuses that the gateway spells otherwise, and the specification's word for each: `{ authorised: "approved" }`. */
  readonly statuses?: Readonly<
    Record<string, "processing" | "unknown" | "approved" | "declined" | "error" | "filtered">
  >
  /** Fields of answers that the gateway names otherwise, and the contract's name of each: `{ "order-id": "paynet-order-id" }`. */
  readonly names?: Readonly<Record<string, string>>
  /** Operations that the gateway does not have. A call of one fails as `InvalidInput`, and nothing is sent. */
  readonly lacks?: ReadonlyArray<OperationName>
  /**
   * The values that `control` covers, for the operations where they differ: `{ VOID: ["login", "orderid"] }`. The control key
   * comes last.
   */
  readonly recipes?: { readonly [Name in OperationName]?: ReadonlyArray<string> }
  /** Two requests under one `Idempotency-Key` have one effect. */
  readonly honoursIdempotencyKey?: boolean
  /** A repeated creation is answered with the existing order. */
  readonly replaysClientOrderId?: boolean
  /** `status` with `by-request-sn` reports on that one request, with the amount of that request. */
  readonly answersByRequest?: boolean
  /** `status` reports each capture, void and return as soon as it is accepted. */
  readonly showsFollowUps?: boolean
  /** `status` returns the `order-stage` of a payout that waits to be paid. */
  readonly showsOrderStage?: boolean
  /** The body of each refusal has a `type`. */
  readonly typesErrors?: boolean
  /** Identifiers may be JSON numbers. */
  readonly numericIdentifiers?: boolean
  /** Error codes or messages of a refused `status` that mean that the order does not exist. */
  readonly notFound?: ReadonlyArray<number | string>
  /** Endpoint groups are addressed as `/group/{id}`. */
  readonly groupPath?: boolean
  /** The path before `/api/`: `/paynet`. */
  readonly pathPrefix?: string
}

/** The names of the public dialects, and `pay` for the gateway of this project. */
export type ProfileName = "specification" | "pairs" | "paynet" | "checkout" | "payment" | "pay"

/** How one kind of gateway speaks, as a value. Nothing here needs another package. */
import type { OperationName } from "./Api.ts"

/** What is left out is the specification's, or what the gateway announces in its answers. */
export interface Profile {
  /** The form of answers: `json` is the specification's, `pairs` that of the older dialect. */
  readonly answers?: "json" | "pairs"
  /** Statuses that the gateway spells otherwise, and the specification's word for each: `{ authorised: "approved" }`. */
  readonly statuses?: Readonly<
    Record<string, "processing" | "unknown" | "approved" | "declined" | "error" | "filtered">
  >
  /** Fields of answers that the gateway names otherwise, and the contract's name of each: `{ "order-id": "paynet-order-id" }`. */
  readonly names?: Readonly<Record<string, string>>
  /** Operations that the gateway does not have. A call of one fails as `InvalidInput`, and nothing is sent. */
  readonly lacks?: ReadonlyArray<OperationName>
  /** What `control` covers, for the operations where it differs: `{ VOID: ["login", "orderid"] }`. The control key comes last. */
  readonly recipes?: { readonly [Name in OperationName]?: ReadonlyArray<string> }
  /** Two requests under one `Idempotency-Key` have one effect. */
  readonly honoursIdempotencyKey?: boolean
  /** A repeated creation is answered with the order that is there. */
  readonly replaysClientOrderId?: boolean
  /** `status` with `by-request-sn` answers about that one request. */
  readonly answersByRequest?: boolean
  /** `status` shows each capture, void and return from its acceptance on. */
  readonly showsFollowUps?: boolean
  /** `status` tells the `order-stage` of a payout that waits to be paid. */
  readonly showsOrderStage?: boolean
  /** The body of each refusal has a `type`. */
  readonly typesErrors?: boolean
  /** Identifiers may be JSON numbers. */
  readonly numericIdentifiers?: boolean
  /** A refused `status` with one of these error codes, or messages, says that there is no such order. */
  readonly notFound?: ReadonlyArray<number | string>
  /** Groups of endpoints are behind `/group/`. */
  readonly groupPath?: boolean
  /** The path before `/api/`: `/paynet`. */
  readonly pathPrefix?: string
}

/** The names of the public dialects. */
export type ProfileName = "specification" | "pairs" | "paynet" | "checkout" | "payment"

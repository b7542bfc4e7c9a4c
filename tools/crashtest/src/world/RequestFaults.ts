/** What each fault of a request does, exactly as its sentence in the table says. */
import { Effect } from "effect"
import type { Fault } from "../plan/Faults.ts"
import type { Answer } from "./AnswerFacts.ts"
import type { GatewayBroke } from "./FaultProxy.ts"

/** One request that meets a fault. */
export interface Meeting {
  /** Passes the request on. The gateway executes it. */
  readonly pass: Effect.Effect<Answer, GatewayBroke>
  readonly passPart: Effect.Effect<void>
  readonly reply: (answer: Answer) => Effect.Effect<void>
  readonly replyPart: (answer: Answer) => Effect.Effect<void>
  readonly breakOff: Effect.Effect<void>
  /** Completes when a shared fault has happened, or, for a shop that is killed after the answer, when it may get the answer. */
  readonly reached: Effect.Effect<void>
  /** The gateway's own answer when it takes no more requests, and when it fails. */
  readonly refusal: (error: "rateLimited" | "serverError") => Answer
  /** Returns the answer to another order's request. */
  readonly other: (own: Answer) => Answer
  /** Milliseconds until a late answer comes. */
  readonly lateMs: number
}

const page = (status: number, title: string): Answer => ({
  status,
  rawHeaders: ["server", "nginx", "content-type", "text/html"],
  body: Buffer.from(
    `<html>\r\n<head><title>${status} ${title}</title></head>\r\n<body>\r\n<center><h1>${status} ${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`
  )
})

type Act = (meeting: Meeting) => Effect.Effect<void, GatewayBroke>

const acts: Readonly<Partial<Record<Fault, Act>>> = {
  lostRequest: ({ breakOff }) => breakOff,
  cutRequest: ({ breakOff, passPart }) => Effect.andThen(passPart, breakOff),
  lostAnswer: ({ breakOff, pass }) => Effect.andThen(pass, breakOff),
  cutAnswer: ({ pass, replyPart }) => Effect.flatMap(pass, replyPart),
  lateAnswer: ({ lateMs, pass, reply }) =>
    Effect.flatMap(pass, (answer) =>
      Effect.delay(
        Effect.suspend(() => reply(answer)),
        lateMs
      )
    ),
  repeatedRequest: ({ pass, reply }) => Effect.flatMap(Effect.andThen(pass, pass), reply),
  otherAnswer: ({ other, pass, reply }) => Effect.flatMap(pass, (answer) => reply(other(answer))),
  errorAfter: ({ pass, refusal, reply }) => Effect.flatMap(pass, () => reply(refusal("serverError"))),
  tooMany: ({ refusal, reply }) => Effect.suspend(() => reply(refusal("rateLimited"))),
  htmlBefore: ({ reply }) => reply(page(502, "Bad Gateway")),
  htmlAfter: ({ pass, reply }) => Effect.flatMap(pass, () => reply(page(504, "Gateway Time-out"))),
  gatewayRestarts: ({ breakOff, pass, reached }) => pass.pipe(Effect.andThen(reached), Effect.andThen(breakOff)),
  killedBefore: ({ breakOff, reached }) => Effect.andThen(reached, breakOff),
  killedWaiting: ({ breakOff, pass, reached }) => pass.pipe(Effect.andThen(reached), Effect.andThen(breakOff)),
  killedAfter: ({ pass, reached, reply }) => Effect.flatMap(pass, (answer) => Effect.andThen(reached, reply(answer)))
}

/** The faults with which a request does not arrive. */
export const arrivesNot: ReadonlySet<Fault> = new Set([
  "lostRequest",
  "cutRequest",
  "tooMany",
  "htmlBefore",
  "killedBefore"
])

/** Lets a request meet a fault, or none. */
export const meet = (fault: Fault | undefined, meeting: Meeting): Effect.Effect<void, GatewayBroke> => {
  const act = fault === undefined ? undefined : acts[fault]
  return act === undefined ? Effect.flatMap(meeting.pass, meeting.reply) : act(meeting)
}

/**
 * A simulated 3-D Secure server, directory and issuer. It answers by the table of test cards and shows the issuer's pages beside
 * the gateway's. With a journal, its decisions survive restarts.
 */
import { FurtherPages } from "@pay/gateway/Gateway"
import {
  type AuthenticationAnswer,
  type Enrolment,
  type Lookup,
  ThreeDSServer,
  ThreeDSServerError
} from "@pay/gateway/ThreeDSServer"
import * as Card from "@pay/schema/Card"
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import * as AReqRules from "./AReqRules.ts"
import { Issuer, messageVersion } from "./Issuer.ts"
import * as IssuerKeys from "./IssuerKeys.ts"
import * as IssuerPages from "./IssuerPages.ts"
import * as IssuerVerdict from "./IssuerVerdict.ts"
import * as Journal from "./Journal.ts"
import * as PaReqXml from "./PaReqXml.ts"
import * as SimulatedSteps from "./SimulatedSteps.ts"
import * as TestCvv from "./TestCvv.ts"
import { ThreeDSControl } from "./ThreeDSControl.ts"
import * as ThreeDSIds from "./ThreeDSIds.ts"
import * as ThreeDSRecord from "./ThreeDSRecord.ts"
import { ThreeDSRecords } from "./ThreeDSRecords.ts"
import { type Call, ordinary, type PartialScenario } from "./ThreeDSScenario.ts"
import * as ThreeDSTestCards from "./ThreeDSTestCards.ts"

/** The options of the simulated 3-D Secure world. */
export interface Options {
  /**
   * Returns the base address of the gateway that shows the issuer's pages, as browsers reach it. Default:
   * `http://127.0.0.1:8080`.
   */
  readonly publicBaseUrl?: () => string
  /** The file that keeps authentications. Absent: they are in memory. */
  readonly threedsJournalPath?: string
  /** Milliseconds after which an answer counts as lost. Default 10 s. */
  readonly threedsDeadlineMs?: number
}

const now = Effect.map(Clock.currentTimeMillis, Math.floor)

const noAnswer = Effect.fail(new ThreeDSServerError({ message: "The simulated 3-D Secure server's answer was lost" }))
const unknown = Effect.fail(
  new ThreeDSServerError({ message: "The simulated 3-D Secure server has no such transaction" })
)

const hinted = ({ hint }: Lookup): PartialScenario =>
  hint === undefined ? {} : { decision: hint === "challenge" ? "C" : "Y" }

/** Delivers an answer: at once, late or never. What was decided stays decided in every case. */
const recorded = <A>(call: Call, answer: A): Effect.Effect<A, ThreeDSServerError> => {
  if (call._tag === "Lost") return noAnswer
  return call._tag === "Slow" ? Effect.delay(Effect.succeed(answer), call.ms) : Effect.succeed(answer)
}

/** Returns the address of a page of the issuer. */
type PageAddress = (page: string) => string

const enrolment = (transaction: ThreeDSRecord.Transaction, address: PageAddress): Enrolment => {
  const { scenario, serverTransId } = transaction
  switch (scenario.enrolment) {
    case "notEnrolled":
      return { _tag: "NotEnrolled" }
    case "version2": {
      const methodUrl = scenario.method === "none" ? undefined : address("method")
      return { _tag: "Version2", version: messageVersion, serverTransId, methodUrl }
    }
    case "version1":
      return {
        _tag: "Version1",
        acsUrl: address("pareq"),
        pareq: PaReqXml.encode(transaction),
        md: serverTransId,
        xid: ThreeDSIds.xid(serverTransId)
      }
  }
}

const challenge = ({ serverTransId }: ThreeDSRecord.Transaction, address: PageAddress): AuthenticationAnswer => {
  const acsTransId = ThreeDSIds.acsTransId(serverTransId)
  const creq = ThreeDS.creq.encode({
    messageType: "CReq",
    messageVersion,
    threeDSServerTransID: serverTransId,
    acsTransID: acsTransId
  })
  return { _tag: "Challenge", acsUrl: address("challenge"), creq, acsTransId }
}

const make = Effect.fnUntraced(function* (options: Options) {
  const { publicBaseUrl = () => "http://127.0.0.1:8080", threedsDeadlineMs = 10_000 } = options
  const records = new ThreeDSRecords()
  /** Scenarios of later authentications, in memory only. */
  const planned: Array<PartialScenario> = []
  const ofOrder = new Map<string, PartialScenario>()
  const journal = yield* Journal.open(options.threedsJournalPath, ThreeDSRecord.Entry, (entry) => records.apply(entry))
  const write = (entry: ThreeDSRecord.Entry): void => {
    journal.append(entry)
    records.apply(entry)
  }
  const issuer = new Issuer(records, write)
  const address = (page: string): string => `${publicBaseUrl()}/acs/${page}`

  const world = { issuer, journal, ofOrder, planned, records, write }

  const server = ThreeDSServer.checked({
    capabilities: {
      deadlineMs: threedsDeadlineMs,
      simulated: true,
      paresRoots: [IssuerKeys.certificatePem],
      hints: TestCvv.hints
    },
    enrol: Effect.fnUntraced(function* (lookup) {
      const { amountMinor, currency, expireMonth, expireYear, merchantName, reference } = lookup
      const serverTransId = ThreeDSIds.serverTransId(reference)
      if (records.get(serverTransId) === undefined) {
        const pan = Redacted.value(lookup.pan)
        const brand = Card.brand(pan)
        write({
          _tag: "Enrolled",
          ...{ amountMinor, currency, expireMonth, expireYear, merchantName, reference, serverTransId },
          ...(brand === undefined ? {} : { brand }),
          lastFour: pan.slice(-4),
          scenario: {
            ...ordinary,
            ...hinted(lookup),
            ...ThreeDSTestCards.find(pan)?.scenario,
            ...(ofOrder.get(ThreeDSRecord.orderIdOf(lookup)) ?? planned.shift())
          },
          enrolledAtMs: yield* now
        })
      }
      const transaction = records.get(serverTransId)
      return transaction === undefined
        ? yield* unknown
        : yield* recorded(transaction.scenario.enrol, enrolment(transaction, address))
    }),
    authenticate: Effect.fnUntraced(function* (request) {
      const { browser, completionIndicator, notificationUrl, serverTransId } = request
      const transaction = records.get(serverTransId)
      if (transaction === undefined || transaction.reference !== request.reference) return yield* unknown
      const invalid = AReqRules.invalidElements(request, messageVersion)
      if (invalid.length > 0)
        return yield* new ThreeDSServerError({ message: `Invalid elements (error 203): ${invalid.join(", ")}` })
      const { authenticate, decision } = transaction.scenario
      const values = Object.entries(browser).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const]
      )
      write({
        _tag: "Asked",
        serverTransId,
        request: { completionIndicator, notificationUrl, browser: Object.fromEntries(values) }
      })
      if (decision === "C") return yield* recorded(authenticate, challenge(transaction, address))
      yield* issuer.decide(transaction, decision, { _tag: "AtOnce" })
      const verdict = IssuerVerdict.verdict(transaction, decision)
      return yield* recorded<AuthenticationAnswer>(authenticate, { _tag: "Finished", verdict })
    }),
    result: Effect.fnUntraced(function* (serverTransId) {
      const transaction = records.get(serverTransId)
      if (transaction === undefined) return yield* unknown
      const { decided, scenario } = transaction
      const isKnown = decided?.knownFromMs !== undefined && decided.knownFromMs <= (yield* now)
      return yield* recorded(
        scenario.result,
        isKnown ? IssuerVerdict.verdict(transaction, decided.transStatus) : undefined
      )
    })
  })

  return Context.make(ThreeDSServer, server).pipe(
    Context.add(ThreeDSControl, SimulatedSteps.control(world)),
    Context.add(FurtherPages, [IssuerPages.make(issuer)])
  )
})

/**
 * Makes a separate 3-D Secure world with each call. Two of them share their records only if they have the same journal, which
 * only one of them may use at a time.
 */
export const layer = (options: Options = {}): Layer.Layer<ThreeDSServer | ThreeDSControl, Journal.JournalError> =>
  Layer.effectContext(make(options))

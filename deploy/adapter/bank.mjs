/**
 * An adapter to begin with: a gateway for real money starts with it, and declines every payment. Replace each method by a request to
 * your bank (docs/operators/adapters.md), then run `pay adapter check` against the bank's test system.
 *
 * @type {import("@pay/server/Adapters").Make}
 */
const make = ({ Effect }) => {
  const declined = () => Effect.succeed({ _tag: "Declined", code: 1, message: "No bank is connected" })
  return {
    acquirer: {
      capabilities: { deadlineMs: 20_000, longestProcessingMs: 120_000, transfers: false, eligibility: false },
      authorize: declined,
      eligible: declined,
      followUp: declined,
      inquire: () => Effect.succeed({ _tag: "NotFound" })
    }
  }
}

export default make

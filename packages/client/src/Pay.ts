/** The client on the `fetch` of the runtime. */
import * as BrowserData from "@pay/flows/BrowserData"
import * as FetchWire from "@pay/transport/FetchWire"
import * as Profile from "@pay/transport/Profile"
import * as Client from "./Client.ts"
import type * as Types from "./contract/Client.ts"
import type { Browser } from "./contract/Fields.ts"
import type * as Profiles from "./contract/Profile.ts"
import * as FieldPaths from "./FieldPaths.ts"
import * as Settings from "./Settings.ts"

/**
 * Makes the client of one merchant. Make it once and share it. It throws `InvalidSettingError` if an option is wrong.
 *
 * @example
 * const pay = Pay.client({ baseUrl: "https://gateway.example", login, controlKey, endpointId: "1101" })
 * const result = await pay.refund(order, { name: "slip-17", amount: "10.00", reason: "damaged" })
 * if (!result.ok) console.error(result.error.message)
 */
export const client = (options: Types.ClientOptions): Types.Client =>
  Client.make(Settings.read(options), FetchWire.make(options.fetch))

/**
 * Makes the client from the environment: `PAY_BASE_URL`, `PAY_LOGIN`, `PAY_CONTROL_KEY`, and if they are set `PAY_PRIVATE_KEY_FILE`
 * (PEM), `PAY_ENDPOINT_ID`, `PAY_TIMEOUT`, `PAY_READ_TIMEOUT`, `PAY_CALLS_PER_SECOND`, `PAY_CONTROL_AMOUNT`,
 * `PAY_ALLOW_PLAIN_HTTP` and `PAY_GATEWAY_PROFILE`. It throws `InvalidSettingError` with the name of a variable that is wrong.
 */
export const fromEnv = (options: Pick<Types.ClientOptions, "fetch" | "onEvent"> = {}): Types.Client =>
  Client.make(Settings.fromEnvironment(options), FetchWire.make(options.fetch))

/** The named profiles, on which you can base a profile: `{ ...Pay.profiles.paynet, statuses: { authorised: "approved" } }`. */
export const profiles: Readonly<Record<Profiles.ProfileName, Profiles.Profile>> = Profile.named

/** Hidden fields of a checkout form for {@link browserOf}, by name. Put them into your form with these values. */
export const browserFields: Readonly<Record<string, string>> = BrowserData.form

/** A JavaScript function that fills {@link browserFields} of a form: `(SCRIPT)(document.forms[0])`. */
export const browserScript: string = BrowserData.fill

/**
 * Returns the group `browser` of a card payment from a checkout form that includes {@link browserFields}, and from the
 * headers with which it was posted. The gateway then need not ask the browser for them.
 */
export const browserOf = (
  posted: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
): Partial<Browser> => FieldPaths.groupOf("browser", BrowserData.paymentFields(posted, headers))

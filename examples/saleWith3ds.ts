/**
 * A sale with 3-D Secure. The payment is one literal. The flow sends the customer's browser to the issuer, takes what the browser
 * posts back to `redirectUrl`, and ends with the approved order or a typed error. Gateway, bank and issuer are in this process.
 */
import { CardSale } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as ThreeDSControl from "@pay/sandbox/ThreeDSControl"
import { Effect, Layer, Redacted } from "effect"

const sale = CardSale.execute({
  clientOrderId: "INV-1",
  orderDesc: "Two tickets",
  amount: "42.00",
  currency: "USD",
  // `Redacted` keeps card number and security code out of logs.
  creditCardNumber: Redacted.make("4444000022224444"),
  cardPrintedName: "ADA LOVELACE",
  expireMonth: 12,
  expireYear: 2035,
  cvv2: Redacted.make("123"),
  address1: "1 St James's Square",
  city: "London",
  zipCode: "SW1Y 4JH",
  country: "GB",
  email: "ada@example.com",
  ipAddress: "203.0.113.7",
  // In a shop, `BrowserData.paymentFields` reads these from the checkout's form and its headers.
  customerBrowserAcceptHeader: "text/html",
  customerBrowserUserAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
  customerBrowserAcceptLanguage: "en-GB",
  customerBrowserJavaEnabled: false,
  customerBrowserJavascriptEnabled: true,
  customerBrowserColorDepth: 24,
  customerBrowserScreenHeight: 1080,
  customerBrowserScreenWidth: 1920,
  customerBrowserTimeZone: -60,
  redirectUrl: "https://shop.example/orders/INV-1/back"
}).pipe(
  Effect.retry({ while: ({ retryable }) => retryable, times: 3 }),
  Effect.map(({ verified3dStatus }) => `paid, the customer is ${verified3dStatus}`),
  Effect.catchTags({
    Declined: ({ reason }) => Effect.succeed(`declined: ${reason}`),
    NotAuthenticated: () => Effect.succeed("the issuer did not confirm the customer"),
    Abandoned: () => Effect.succeed("the customer left the page of the issuer"),
    StillUnknown: () => Effect.succeed("deliver nothing yet, and execute the same payment again later")
  })
)

/** For a real gateway: `PayClient.layerConfig` and `WebCustomerBrowser`, in place of the sandbox and its customer. */
const sandbox = Sandbox.layer({ endpointId: Sandbox.endpoints.threedsMerchant })
const customer = CustomerBrowser.layerTest(ThreeDSControl.customer("pass"))
const layer = Layer.provideMerge(Layer.merge(customer, FlowEngine.layerMemory), sandbox)

const outcome = await Effect.runPromise(Effect.provide(sale, layer))
console.log(outcome)
if (outcome !== "paid, the customer is AUTHENTICATED") throw new Error("the sale was not paid")

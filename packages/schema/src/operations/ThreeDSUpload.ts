/** Results of 3-D Secure steps that the merchant ran in the customer's browser. */
import * as Control from "@pay/signing/Control"
import { Schema } from "effect"
import { AsyncResponse } from "../answers/AsyncResponse.ts"
import * as Browser from "../fields/BrowserFields.ts"
import { ClientOrderId, Login, OrderId } from "../fields/OrderFields.ts"
import * as ThreeDS from "../fields/ThreeDSFields.ts"
import { callback } from "../fields/UrlFields.ts"
import * as Operation from "../Operation.ts"
import * as Scheme from "../Scheme.ts"

const order = { login: Login, "client-order-id": ClientOrderId, orderid: OrderId }

export const UploadCresResult = Operation.make("TDS_UPLOAD_CRES_RESULT", {
  path: "/api/3ds/v1/upload-cres-result",
  requestName: "TdsCResResultRequest",
  summary: "Uploads the challenge response (CRes) that the issuer returned at the end of a 3DS 2 challenge.",
  signing: Scheme.Control(Control.recipes.uploadCresResult),
  acts: "onOrder",
  request: { ...order, cRes: ThreeDS.CRes, ...callback },
  response: AsyncResponse,
  aliases: { cres: "cRes" }
})

export const UploadMethodUrlResult = Operation.make("TDS_UPLOAD_METHOD_URL_RESULT", {
  path: "/api/3ds/v1/upload-method-url-result",
  requestName: "TdsMethodUrlResultRequest",
  summary: "Uploads the result of the 3DS 2 method page, or the browser's data.",
  signing: Scheme.Control(Control.recipes.uploadMethodUrlResult),
  acts: "onOrder",
  request: {
    ...order,
    threeDSCompInd: ThreeDS.CompletionIndicator,
    threeDSServerTransID: ThreeDS.ServerTransId,
    browserAcceptHeader: Schema.optionalKey(Browser.AcceptHeader),
    browserIP: Schema.optionalKey(Browser.Ip),
    browserJavaEnabled: Schema.optionalKey(Browser.JavaEnabled),
    browserJavascriptEnabled: Schema.optionalKey(Browser.JavascriptEnabled),
    browserLanguage: Schema.optionalKey(Browser.Language),
    browserColorDepth: Schema.optionalKey(Browser.ColorDepth),
    browserScreenHeight: Schema.optionalKey(Browser.ScreenHeight),
    browserScreenWidth: Schema.optionalKey(Browser.ScreenWidth),
    browserTZ: Schema.optionalKey(Browser.TimeZone),
    browserUserAgent: Schema.optionalKey(Browser.UserAgent),
    ...callback
  },
  response: AsyncResponse
})

export const UploadParesResult = Operation.make("TDS_UPLOAD_PARES_RESULT", {
  path: "/api/3ds/v1/upload-pares-result",
  requestName: "TdsPaResResultRequest",
  summary: "Uploads the payer authentication response (PaRes) of a 3DS 1.0.2 flow.",
  signing: Scheme.Control(Control.recipes.uploadParesResult),
  acts: "onOrder",
  request: { ...order, paRes: ThreeDS.PaRes, md: Schema.optionalKey(ThreeDS.Md), ...callback },
  response: AsyncResponse,
  aliases: { pares: "paRes", PaRes: "paRes", MD: "md" }
})

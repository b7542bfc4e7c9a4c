/** What the browser posts to the issuer in the method step (EMV 3-D Secure, 3DS Method). */
import * as ThreeDS from "@pay/schema/ThreeDS"
import type { Authentication } from "./Authentication.ts"

/** `threeDSMethodData`; the issuer posts to `notificationUrl` when it is done. */
export const methodData = ({ serverTransId }: Authentication, notificationUrl: string): string =>
  ThreeDS.methodData.encode({
    threeDSServerTransID: serverTransId ?? "",
    threeDSMethodNotificationURL: notificationUrl
  })

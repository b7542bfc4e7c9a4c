/** The module is in the harness; this name remains for folders that still import it. */
export * from "../harness/PayoutPage.ts"

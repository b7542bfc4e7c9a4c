/** Next.js calls this once when the server starts: it continues what the process before has begun. */
export const register = async () => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return
  const { continueOrders } = await import("./shop.mjs")
  await continueOrders()
}

import { onCallback } from "../../shop.mjs"

export const GET = async (request) => new Response(null, { status: await onCallback(request) })

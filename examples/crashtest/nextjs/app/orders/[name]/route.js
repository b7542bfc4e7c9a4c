import { buy, show } from "../../../shop.mjs"

export const GET = async (_request, { params }) => Response.json(show((await params).name))

export const POST = async (request, { params }) => Response.json(await buy((await params).name, await request.json()))

import { refund } from "../../../../shop.mjs"

export const POST = async (_request, { params }) => Response.json(await refund((await params).name))

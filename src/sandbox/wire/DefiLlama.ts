// DefiLlama's record of hacks: a bare list without order, days in seconds, amounts that may be null, sources that are blank.
import { incidents } from "../News.ts"
import { failed, ok, type Wire } from "../Wire.ts"

/** api.llama.fi. */
export const defillama: Wire = ({ at, method, path, world }) =>
  method === "GET" && path === "/hacks"
    ? ok(
        incidents(world, at).map(({ amount, day, name }) => ({
          date: day * 86_400,
          name,
          classification: "Key Compromise",
          technique: "Bridge Signer Compromised",
          amount,
          chain: ["Ethereum"],
          returnedFunds: null
        }))
      )
    : failed(404, { message: "Not found" })

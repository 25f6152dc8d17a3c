// The page for who asks by a command such as `curl`.

/** `address`: with or without a scheme. `limit`: requests a minute, as people read them, without a key, if they are served. */
export const pageText = (address: string, limit: string | undefined): string =>
  [
    "crypto-data-api: crypto prices, P2P rates and conversion, each with its source and time. Try:",
    "",
    `curl ${address}/v1/naira`,
    `curl ${address}/v1/price/bitcoin/ngn`,
    `curl '${address}/v1/convert?from=USD&to=NGN&amount=100'`,
    `curl '${address}/v1/coins?limit=10'`,
    `curl ${address}/v1/why`,
    "",
    `${address}/docs for people, ${address}/llms.txt for language models, ${address}/openapi.json for programs.`,
    `${limit === undefined ? "An API key is needed." : `No key needed: ${limit} requests a minute.`} Information only, not financial advice. Please credit the service.`,
    ""
  ].join("\n")

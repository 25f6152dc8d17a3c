// `npm run speed`: writes the tables in `docs/speed.md` and `docs/notes/speed.md` from `docs/speed.json`, which one run of `npm run
// bench` left behind.
import { readFileSync, writeFileSync } from "node:fs"
import type { Result, Spread } from "./Report.ts"
import { type ServerName, serverNames } from "./Servers.ts"

const folder = new URL("../../docs/", import.meta.url)
const { machine, rows, verdicts }: Result = JSON.parse(readFileSync(new URL("speed.json", folder), "utf8"))

/** Puts lines between the marks of a table. */
const write = (path: string, mark: string, lines: ReadonlyArray<string>): void => {
  const file = new URL(path, folder)
  const between = new RegExp(`(?<=<!-- ${mark}:begin -->\\n)[^]*(?=<!-- ${mark}:end -->)`)
  const text = lines.map((each) => `${each}\n`).join("")
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace(between, () => text)
  )
}

const titles: Readonly<Record<ServerName, string>> = {
  service: "this service",
  fastify: "Fastify 5",
  hono: "Hono 4",
  stringify: "`node:http`",
  encoded: "`node:http`, encoded ahead"
}

const shown = serverNames.filter((name) => rows.some(({ rates }) => rates[name] !== undefined))
const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
const rateOf = (spread: Spread | undefined, base: number | undefined) => {
  if (spread === undefined || !Number.isFinite(spread.median)) return ""
  const share = base === undefined ? "" : `${(spread.median / base).toPrecision(3)}: `
  return `${share}${Math.round(spread.low)}–${Math.round(spread.high)}`
}

const rates = [
  line(["", ...shown.map((name) => titles[name])]),
  line(["", ...shown].map(() => "---")),
  ...rows.map(({ name, rates }) => line([name, ...shown.map((server) => rateOf(rates[server], rates.fastify?.median))]))
]

const wanted = [
  line(["", "found", "wanted", ""]),
  line(["", "", "", ""].map(() => "---")),
  ...verdicts.map(({ found, isMet, target, what }) =>
    line([what, String(Number(found.toPrecision(3))), target.replace(/ \(.*\)$/, ""), isMet ? "" : "**not met**"])
  )
]

const { cores, cpu, date, node, restarts, rounds, seconds } = machine
const run = `Run on ${date}: ${cpu}, ${cores} cores, Node ${node}; ${restarts} ${restarts === 1 ? "start" : "starts"} of ${rounds} rounds of ${seconds} s.`

write("speed.md", "shares", [
  `${run}`,
  "",
  line(["", "times Fastify's rate", "requests a second"]),
  line(["---", "---", "---"]),
  ...rows.flatMap(({ name, rates: { fastify, service } }) =>
    service === undefined || fastify === undefined
      ? []
      : [line([name, (service.median / fastify.median).toPrecision(3), String(Math.round(service.median))])]
  )
])
write("notes/speed.md", "speed", [
  `${run} The share of Fastify's`,
  "median rate, then the quartiles of requests a second.",
  "",
  ...rates,
  "",
  ...wanted
])

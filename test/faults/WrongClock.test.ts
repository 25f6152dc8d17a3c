// The clock of this machine is set while the service runs; the sources keep theirs.
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { onlyNaira, withoutNews } from "../RunningService.ts"
import * as InProcessService from "./InProcessService.ts"
import * as SimulatedTime from "./SimulatedTime.ts"

const START = Date.UTC(2026, 10, 16, 12, 0, 30)

const HOURS = 3 * 3_600_000

/** The three exchanges with the fewest pairs make the prices. */
const SOURCES_DISABLED = `${withoutNews.SOURCES_DISABLED},BITFINEX,BINANCE,OKX_SPOT,KUCOIN_SPOT,GATE`

/** Of the first the sources say when its figures are from. */
const paths = ["/v1/global", "/v1/coins?limit=50", "/v1/coins/bitcoin", "/v1/naira", "/v1/price/bitcoin/ngn", "/v1/fx"]

/** A service on a machine whose clock can be set; `ages` are those of its answers by the true time, in seconds. */
const inTime = <E>(
  test: (
    given: SimulatedTime.SimulatedTime & {
      readonly setAhead: (millis: number) => void
      readonly ages: Effect.Effect<ReadonlyArray<number | string>>
      readonly sources: Effect.Effect<string>
    }
  ) => Effect.Effect<void, E>
) =>
  Effect.gen(function* () {
    const time = yield* SimulatedTime.make(START)
    let ahead = 0
    const now = () => time.now() + ahead
    const clock = Object.assign(Object.create(time.clock), {
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now)
    })
    const run = Effect.gen(function* () {
      const service = yield* InProcessService.make(time, { config: { SOURCES_DISABLED, ...onlyNaira } })
      yield* service.start
      yield* time.pass("1 minute")
      yield* test({
        ...time,
        setAhead: (millis) => void (ahead = millis),
        ages: Effect.map(service.ask(paths), (answers) =>
          answers.map(({ text }) => {
            const { code, meta } = JSON.parse(text)
            return code ?? (time.now() - Date.parse(meta.updated)) / 1000
          })
        ),
        sources: Effect.map(service.ask(["/v1/sources"]), ([answer]) => answer?.text ?? "")
      })
    })
    yield* time.live(Effect.provideService(run, Clock.Clock, clock))
  }).pipe(Effect.scoped)

/** The longest interval of what is dated, and the figures' own age. */
const A_POLL = 240

const isWell = (ages: ReadonlyArray<number | string>) =>
  ages.slice(0, -1).every((age) => typeof age === "number" && age >= 0 && age < A_POLL) &&
  typeof ages.at(-1) === "number"

it.effect(
  "after the clock of this machine was set back, data from before is not served for hours, newer data is refused aloud, and all is well a poll after it is right; so it is after hours ahead",
  () =>
    inTime(
      Effect.fnUntraced(function* ({ ages, pass, setAhead, sources }) {
        assert.isTrue(isWell(yield* ages))
        setAhead(-HOURS)
        yield* pass("2 minutes")
        assert.strictEqual((yield* ages)[0], "source_unavailable")
        assert.match(yield* sources, /"state":"failing"[^}]*a time ahead of this machine's clock/)
        for (const ahead of [0, HOURS, 0]) {
          setAhead(ahead)
          yield* pass("2 minutes")
          const after = yield* ages
          if (ahead === 0) assert.isTrue(isWell(after), JSON.stringify(after))
        }
      })
    )
)

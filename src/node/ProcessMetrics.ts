// Metrics of the process, with the names of Prometheus' own client libraries, and of the build. A scrape reads them.
import { Clock, Effect, Layer, Metric } from "effect"
import { readdirSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { cpuUsage, memoryUsage, uptime, versions } from "node:process"
import { VERSION } from "../domain/version.ts"

const RESOLUTION_MS = 10

/** Open files of this process; `undefined` where the system has no `/proc`. */
const openFiles = (): number | undefined => {
  try {
    return readdirSync("/proc/self/fd").length
  } catch {
    return undefined
  }
}

/** Registers the metrics. The delay of the event loop is sampled every 10 ms until the scope ends. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const context = yield* Effect.context()
    const delay = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
        histogram.enable()
        return histogram
      }),
      (histogram) => Effect.sync(() => histogram.disable())
    )
    /** Seconds by which the loop was late: the histogram's figures, in nanoseconds, include the interval of the samples. */
    const lateness = (nanos: number) => Math.max(0, nanos / 1e9 - RESOLUTION_MS / 1000)
    const started = (yield* Clock.currentTimeMillis) / 1000 - uptime()

    const unchanging = { update: () => {}, modify: () => {} }
    const gauge = (name: string, description: string, value: () => number, attributes = {}) =>
      Metric.registerUnsafe(Metric.gauge(name, { description, attributes }), context, {
        ...unchanging,
        get: () => ({ value: value() })
      })
    Metric.registerUnsafe(
      Metric.counter("process_cpu_seconds_total", { description: "Processor time of the process in seconds" }),
      context,
      {
        ...unchanging,
        get: () => {
          const { system, user } = cpuUsage()
          return { count: (system + user) / 1e6, incremental: true }
        }
      }
    )
    gauge("process_resident_memory_bytes", "Resident memory of the process", () => memoryUsage.rss())
    gauge("process_start_time_seconds", "When the process started, in seconds since 1970", () => started)
    if (openFiles() !== undefined) gauge("process_open_fds", "Open files and connections", () => openFiles() ?? NaN)
    gauge("nodejs_heap_size_used_bytes", "Memory of V8's heap that is in use", () => memoryUsage().heapUsed)
    for (const quantile of [50, 99]) {
      const p = `nodejs_eventloop_lag_p${quantile}_seconds`
      gauge(p, `By how much the event loop was late, quantile ${quantile} since the last scrape`, () =>
        lateness(delay.percentile(quantile))
      )
    }
    gauge("nodejs_eventloop_lag_max_seconds", "The most by which the event loop was late since the last scrape", () => {
      const most = lateness(delay.max)
      delay.reset()
      return most
    })
    gauge("cda_build_info", "1, with the version of the service and of Node", () => 1, {
      version: VERSION,
      node: versions.node
    })
  })
)

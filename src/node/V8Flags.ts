// V8 flags for a process that answers small requests for weeks. Each was measured under load.
import { createHook } from "node:async_hooks"
import { nextTick } from "node:process"
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

// Objects of a request are short-lived. From the start of the service V8 concludes the opposite and allocates them in
// the old generation, which it rarely collects: the process would grow by tens of megabytes between collections.
setFlagsFromString("--no-allocation-site-pretenuring")

// The live heap is nearly constant, so the old generation needs little room for garbage before it is collected.
setFlagsFromString("--heap-growing-percent=25")

/**
 * Node creates a tick object for each `nextTick`, about seven per request, from a literal with computed names. V8 is
 * fast there while it sees one hidden class, but it collects a hidden class that no object has, which happens during
 * the start. After that each tick costs four times as much for the rest of the process. So one tick object is kept
 * alive.
 */
const keptTicks: Array<object> = []
const hook = createHook({
  init: (_id, type, _trigger, resource) => {
    if (type === "TickObject") keptTicks.push(resource)
  }
}).enable()
nextTick(() => {})
hook.disable()

// The young generation would grow to 64 MB or more, all of which is soon touched. Its bound is a flag of the command line
// alone; the factor by which it grows is read at each growth. So it is made to grow once, by filling it, and then kept at
// that size. V8 shrinks it in a process that is idle, after which it may grow back.
const YOUNG_MIB = 8
const youngMiB = () =>
  (getHeapSpaceStatistics().find((space) => space.space_name === "new_space")?.space_size ?? 0) / 2 ** 20
const boundGrowth = () =>
  setFlagsFromString(`--semi-space-growth-factor=${Math.max(1, Math.floor(YOUNG_MIB / Math.max(1, youngMiB())))}`)

setFlagsFromString(`--semi-space-growth-factor=${YOUNG_MIB / 2}`)
const filling: Array<ReadonlyArray<number>> = []
for (let n = 0; n < 64_000 && youngMiB() < YOUNG_MIB / 2;) {
  for (const end = n + 2000; n < end; n++) filling.push([n])
}
filling.length = 0
boundGrowth()
setInterval(boundGrowth, 1000).unref()

// V8 flags for a process that answers small requests for weeks. Each was measured under load. Those that only the command
// line can set are in `Relaunch.ts`.
import { createHook } from "node:async_hooks"
import { nextTick } from "node:process"
import { setFlagsFromString } from "node:v8"

// Objects of a request are short-lived. From the start of the service V8 concludes the opposite and allocates them in
// the old generation, which it rarely collects: the process would grow by tens of megabytes between collections.
setFlagsFromString("--no-allocation-site-pretenuring")

// The live heap is nearly constant, so the old generation needs little room for garbage before it is collected, and what
// is left between objects is worth compacting. Each collection delays the requests of that moment, so not less than 20 %.
setFlagsFromString("--heap-growing-percent=20")
setFlagsFromString("--optimize-for-size")

// Machine code that is made in a hurry for functions that are soon compiled properly or never called again: 5 MiB.
setFlagsFromString("--no-sparkplug")

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

// The course of a true figure: its value at each time. It is a function of the time alone, so that every source, lag and invariant asks
// the same truth, in any order.
import type { Draw } from "./Draw.ts"

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The value at a time, epoch milliseconds. */
export type Course = (t: number) => number

/** A wave: its period, and how far it goes up and down, as a share. */
export type Wave = readonly [period: number, height: number]

/** A figure that wanders about `base` in waves of about these periods. */
export const wandering = (draw: Draw, base: number, ...waves: ReadonlyArray<Wave>): Course => {
  const parts = waves.map(([period, height]) => ({
    speed: (2 * Math.PI) / (period * draw.between(0.7, 1.4)),
    phase: draw.between(0, 2 * Math.PI),
    height
  }))
  return (t) => {
    let exponent = 0
    for (const { height, phase, speed } of parts) exponent += height * Math.sin(speed * t + phase)
    return base * Math.exp(exponent)
  }
}

/** A true change by a factor, evenly from `from` to `until`. It stays. */
export const changing =
  (factor: number, from: number, until: number): Course =>
  (t) =>
    t <= from ? 1 : t >= until ? factor : factor ** ((t - from) / (until - from))

export const product = (courses: ReadonlyArray<Course>): Course => {
  const [only] = courses
  if (only !== undefined && courses.length === 1) return only
  return (t) => courses.reduce((value, course) => value * course(t), 1)
}

/** The lowest and the highest value between two times. */
export const rangeOf = (course: Course, from: number, until: number, parts = 12): readonly [number, number] => {
  let [low, high] = [Infinity, -Infinity]
  for (let n = 0; n <= parts; n++) {
    const value = course(from + ((until - from) * n) / parts)
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return [low, high]
}

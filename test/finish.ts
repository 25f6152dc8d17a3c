/** Runs steps without pauses. */
export const finish = <A>(steps: Generator<void, A>): A => {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

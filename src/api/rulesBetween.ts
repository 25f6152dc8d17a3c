// Rules between parameters.

/** Parameters that need another one, or exclude another one, with the detail of the 400. */
export const rulesBetween: ReadonlyArray<{
  readonly parameter: string
  /** `isSent` and `textOf`: whether a parameter was sent, and its text. */
  readonly isWrong: (isSent: (name: string) => boolean, textOf: (name: string) => string) => boolean
  readonly detail: string
}> = [
  { parameter: "tolerance", isWrong: (isSent) => !isSent("expect"), detail: "must be given together with expect" },
  { parameter: "side", isWrong: (isSent) => !isSent("amount"), detail: "must be given together with amount" },
  { parameter: "page", isWrong: (isSent) => isSent("ids"), detail: "must not be given together with ids" },
  { parameter: "max_age", isWrong: (isSent) => isSent("at"), detail: "must not be given together with at" },
  ...["max_age", "at"].map((parameter) => ({
    parameter,
    isWrong: (_isSent: unknown, textOf: (name: string) => string) => textOf("ids").includes("@"),
    detail: "must not be given together with a time in ids"
  }))
]

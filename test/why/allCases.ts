// Every labelled case there is, with its gold answer: the development cases of why-bench and our own.
import dev from "./bench/dev.json" with { type: "json" }
import dev2 from "./bench/dev2.json" with { type: "json" }
import { blind } from "./cases/blind.ts"
import { buildCase } from "./cases/caseBuilder.ts"
import { fifth } from "./cases/fifth.ts"
import { fourth } from "./cases/fourth.ts"
import { second } from "./cases/second.ts"
import { secondNone } from "./cases/secondNone.ts"
import { third } from "./cases/third.ts"
import { tuned } from "./cases/tuned.ts"

const own = [...tuned, ...blind, ...third, ...second, ...secondNone, ...fourth, ...fifth].map(buildCase)

/** The cases in the form of a why-bench file. */
export const allCases = { cases: [...dev.cases, ...dev2.cases, ...own] }

// Every labelled case there is, with its gold answer: the development cases of why-bench and our own.
import dev from "../../build/why/bench/dev.json" with { type: "json" }
import dev2 from "../../build/why/bench/dev2.json" with { type: "json" }
import blind from "./cases/blind.json" with { type: "json" }
import { built } from "./cases/caseBuilder.ts"
import fifth from "./cases/fifth.json" with { type: "json" }
import fourth from "./cases/fourth.json" with { type: "json" }
import second from "./cases/second.json" with { type: "json" }
import secondNone from "./cases/secondNone.json" with { type: "json" }
import third from "./cases/third.json" with { type: "json" }
import tuned from "./cases/tuned.json" with { type: "json" }

const own = [tuned, blind, third, second, secondNone, fourth, fifth].flatMap((file) => built(file).cases)

/** The cases in the form of a why-bench file. */
export const allCases = { cases: [...dev.cases, ...dev2.cases, ...own] }

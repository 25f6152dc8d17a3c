// The second half of the histories of arbitrary figures.
import { testHalf } from "./arbitraryFigures.ts"

testHalf(1)

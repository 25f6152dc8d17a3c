import { defineConfig } from "vitest/config"

// Tests of one worker share what they import, which is most of what a file takes. A third worker is busy while processes that
// others have started are waited for.
export default defineConfig({
  test: { globalSetup: "test/Bundle.ts", isolate: false, maxWorkers: 3, testTimeout: 60_000 }
})

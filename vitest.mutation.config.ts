import { defineConfig } from 'vitest/config'
import { DECISIONS } from './vitest.config.ts'

/** The tests that StrykerJS runs (stryker.config.mjs). Each run has a thread of its own, in which its files share modules. */
export default defineConfig({
  test: { include: DECISIONS, pool: 'threads', isolate: false, testTimeout: 30_000 },
})

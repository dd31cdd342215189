import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.{ts,tsx}'],
    reporters: ['default', './tests/support/count-reporter.ts'],
    globalSetup: 'tests/support/global-setup.ts',
    // Real servers and processes: generous limits, and no more files at once than this machine has cores.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 2,
    // Browsers and killed processes on a busy machine: one more try before a change is refused. The end of the run names
    // each test that needed it, so that it gets mended.
    retry: process.env.CI ? 1 : 0,
  },
})

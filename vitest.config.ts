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
  },
})

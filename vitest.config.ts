import { defineConfig } from 'vitest/config'

/** Tests of the rules and of what a delivery's outcome means, which are tested themselves: `npm run test:mutation`. */
export const DECISIONS = [
  'tests/core/*/rules/**/*.test.ts',
  'tests/worker/{outcome,delivery-error,halving,links,hubspot-answers,mail-refusal}.test.ts',
]
/** No database, no network, no process: what is in these runs in threads that share their modules. */
const UNIT = [
  ...DECISIONS,
  'tests/core/**/contract/**/*.test.ts',
  'tests/core/{dates,env,env-access}.test.ts',
  'tests/core/platform/{batcher,metrics,passwords}.test.ts',
  'tests/core/cli/command-line.test.ts',
  'tests/{web,support}/**/*.test.{ts,tsx}',
  'tests/worker/{emails,email-slots,hostile-text,http,sync/mapping}.test.ts',
]
/** Each way to start and to stop the product, and its backup. */
const STARTS = ['tests/local/{start,interrupted}.test.ts', 'tests/backup.test.ts']

/** PostgreSQL, Redis and the built product, once for all projects that need them. */
const SERVICES = 'tests/support/global-setup.ts'

/** Several processes, on a machine that may have other work: a limit for what hangs, not for what is slow. They mostly wait. */
const SLOW = { testTimeout: 180_000, retry: process.env.CI ? 1 : 0, maxWorkers: 4 }

/** Each project runs alone, so that its workers can be kept from one file to the next. */
const project = (name: string, groupOrder: number, test: object) => ({
  test: {
    name,
    isolate: false,
    sequence: { groupOrder },
    // Real servers and processes: generous limits.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    ...test,
  },
})

export default defineConfig({
  test: {
    reporters: ['default', './tests/support/run-reporter.ts'],
    // No more files at once than this machine has cores.
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['core/**/*.ts', 'api/**/*.ts', 'worker/**/*.{ts,tsx}'],
      reporter: ['text-summary', 'json-summary'],
    },
    projects: [
      project('unit', 1, { include: UNIT, pool: 'threads' }),
      project('components', 2, {
        include: ['tests/components/**/*.test.tsx'],
        pool: 'threads',
        environment: 'happy-dom',
        setupFiles: 'tests/components/setup.ts',
      }),
      project('integration', 3, {
        include: ['tests/{core,api,worker,local}/**/*.test.ts', 'tests/{docker,lock,ops}.test.ts'],
        exclude: [...UNIT, ...STARTS],
        globalSetup: SERVICES,
      }),
      project('browser', 4, {
        include: ['tests/browser/**/*.test.ts'],
        globalSetup: SERVICES,
        // A page takes a second of computing time.
        testTimeout: 60_000,
        // Browsers on a busy machine: one more try. The end of the run names each test that needed it, so that it gets mended.
        retry: process.env.CI ? 1 : 0,
      }),
      // Processes that are killed, and networks that fail.
      project('faults', 5, { include: ['tests/faults/*.test.ts'], globalSetup: SERVICES, ...SLOW }),
      // Parts of `npm run test:nightly`.
      project('kills', 6, { include: ['tests/faults/kills/*.test.ts'], globalSetup: SERVICES, ...SLOW }),
      project('starts', 7, { include: STARTS, globalSetup: SERVICES, ...SLOW }),
      // Replies in a real mailbox; needs Dovecot.
      project('inbox', 8, { include: ['tests/inbox/*.test.ts'], globalSetup: SERVICES }),
      project('journeys', 9, { include: ['tests/nightly/*.test.ts'], globalSetup: SERVICES, testTimeout: 60_000 }),
    ],
  },
})

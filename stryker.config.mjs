/**
 * Mutation testing of decisions: each mutant of them must make a unit test fail.
 * `npm run test:mutation -- -m core/deliveries/rules/failures.ts` does so for one file.
 */
export default {
  mutate: ['core/*/rules/**/*.ts', 'worker/delivery-error.ts', 'worker/senders/{hubspot-answers,mail-refusal}.ts'],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts' },
  concurrency: 2,
  // A busy machine must not make a mutant look like an endless loop.
  timeoutMS: 15_000,
  thresholds: { high: 95, low: 90, break: 85 },
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { reportTests: false, logTests: false },
  // With `--reporters html` or `--reporters json`.
  htmlReporter: { fileName: '.data/mutation/report.html' },
  jsonReporter: { fileName: '.data/mutation/report.json' },
  // What a test of a decision does not need is not copied into the sandboxes.
  ignorePatterns: ['.data', 'dist', 'api', 'bench', 'docs', 'migrations', 'ops', 'web'],
  tempDirName: '.data/stryker',
  // Stryker rewrites a tsconfig.json for its sandboxes with a function that TypeScript 7 does not have. Ours needs no rewriting.
  tsconfigFile: 'none',
}

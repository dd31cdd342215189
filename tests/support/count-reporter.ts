import type { Reporter, TestModule } from 'vitest/node'

/** Closes a run with one plain line that any machine can read: `12 passed, 0 failed`. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state] += 1
      if (module.errors().length > 0) counts.failed += 1
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    // After the summary of the default reporter, which prints in the same hook.
    setImmediate(() => process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed${skipped}\n`))
  }
}

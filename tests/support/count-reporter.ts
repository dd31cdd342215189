import type { Reporter, TestModule } from 'vitest/node'

/**
 * Closes a run with one plain line that any machine can read: `12 passed, 0 failed`. Before it stand the tests that passed
 * only at the second try, which CI allows, and what the first said.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    const lines = ['']
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        counts[test.result().state] += 1
        if (!test.diagnostic()?.flaky) continue
        lines.push(`At the second try: ${module.relativeModuleId} > ${test.fullName}`)
        lines.push(...(test.result().errors ?? []).map(({ message, diff = '' }) => `  The first: ${message}\n${diff}`))
      }
      if (module.errors().length > 0) counts.failed += 1
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
    lines.push(`${counts.passed} passed, ${counts.failed} failed${skipped}`, '')
    // After the summary of the default reporter, which prints in the same hook.
    setImmediate(() => process.stdout.write(lines.join('\n')))
  }
}

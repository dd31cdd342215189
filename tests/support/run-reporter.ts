import type { Reporter, TestModule } from 'vitest/node'

const SLOWEST_FILES = 10

/**
 * Ends a run with the time of each project, the slowest files, and one plain line that any machine can read:
 * `12 passed, 0 failed`.
 */
export default class RunReporter implements Reporter {
  // The projects run one after the other.
  private readonly spans = new Map<string, { start: number; end: number }>()

  onTestModuleQueued({ project }: TestModule): void {
    if (!this.spans.has(project.name)) this.spans.set(project.name, { start: performance.now(), end: 0 })
  }

  onTestModuleEnd({ project }: TestModule): void {
    const span = this.spans.get(project.name)
    if (span) span.end = performance.now()
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = ['', ...this.projectTimes(modules), '', ...slowestFiles(modules), '', counts(modules), '']
    // After the summary of the default reporter, which prints in the same hook.
    setImmediate(() => process.stdout.write(lines.join('\n')))
  }

  private projectTimes(modules: readonly TestModule[]): string[] {
    return [...this.spans].map(([name, { start, end }]) => {
      const files = modules.filter(({ project }) => project.name === name)
      const tests = files.reduce((sum, { children }) => sum + [...children.allTests()].length, 0)
      return `${inSeconds(end - start)}  ${name}: ${tests} tests in ${files.length} files`
    })
  }
}

/** Milliseconds that a file took, its imports included. */
function durationOf(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
  return environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration
}

const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`.padStart(9)

function slowestFiles(modules: readonly TestModule[]): string[] {
  return modules
    .toSorted((a, b) => durationOf(b) - durationOf(a))
    .slice(0, SLOWEST_FILES)
    .map((module) => `${inSeconds(durationOf(module))}  ${module.relativeModuleId}`)
}

function counts(modules: readonly TestModule[]): string {
  const total = { passed: 0, failed: 0, skipped: 0, pending: 0 }
  for (const module of modules) {
    for (const test of module.children.allTests()) total[test.result().state] += 1
    if (module.errors().length > 0) total.failed += 1
  }
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
  return `${total.passed} passed, ${total.failed} failed${skipped}`
}

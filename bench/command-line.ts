import { parseArgs } from 'node:util'
import type { Benchmark } from './support.ts'

export type Request = { name: string; benchmark: Benchmark; size: Record<string, number> }

/**
 * Reads what to run: names of benchmarks (all without one), `--smoke`, and numbers such as `leads=1000`.
 * @returns null when asked for help
 * @throws Error with a sentence when it makes no sense
 */
export function readCommandLine(args: string[], benchmarks: Record<string, Benchmark>): Request[] | null {
  const { values, positionals } = parseArgs({
    args,
    options: { smoke: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  if (values.help) return null

  const names = positionals.filter((word) => !word.includes('='))
  const unknown = names.filter((name) => !(name in benchmarks))
  if (unknown.length > 0) {
    throw new Error(`There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}.`)
  }
  const numbers = Object.fromEntries(positionals.filter((word) => word.includes('=')).map(readNumber))
  const chosen = Object.entries(benchmarks).filter(([name]) => names.length === 0 || names.includes(name))
  for (const key of Object.keys(numbers)) {
    if (!chosen.some(([, { full }]) => key in full)) throw new Error(`No benchmark that is to run has a number ${key}.`)
  }
  return chosen.map(([name, benchmark]) => {
    const preset = values.smoke ? benchmark.smoke : benchmark.full
    const size = Object.fromEntries(Object.entries(preset).map(([key, value]) => [key, numbers[key] ?? value]))
    return { name, benchmark, size }
  })
}

function readNumber(word: string): [string, number] {
  const [key = '', text = ''] = word.split('=')
  const value = Number(text)
  if (!(value > 0)) throw new Error(`${word}: that must be a number above 0.`)
  return [key, value]
}

export function helpText(benchmarks: Record<string, Benchmark>): string {
  const numbers = (size: Record<string, number>) =>
    Object.entries(size)
      .map(([key, value]) => `${key}=${value}`)
      .join(' ')
  const entries = Object.entries(benchmarks).map(([name, { measures, needs = [], full, smoke }]) =>
    [
      `  ${name}`,
      `    ${measures}`,
      `    ${numbers(full)}; with --smoke ${numbers(smoke)}`,
      ...(needs.length > 0 ? [`    needs ${needs.join(', ')}`] : []),
    ].join('\n'),
  )
  return `npm run bench [-- [name ...] [--smoke] [number=value ...]]

Runs the benchmarks with these names, or all of them, one after the other, and shows their results as ratios to
baselines of the same run. With --smoke each is as small as can be, which proves that it runs and says nothing about
speed. Each number can be set: npm run bench -- leads leads=10000

${entries.join('\n\n')}`
}

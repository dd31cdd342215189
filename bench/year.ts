import { isDeepStrictEqual } from 'node:util'
import { EnvSchema } from '../core/env.ts'
import type { MailCaps } from '../core/rules/mail-caps.ts'
import { HOUR, MINUTE, SECOND } from '../core/time.ts'
import { defineBenchmark, print } from './support.ts'
import { openOf, playYear, type Size, type Year } from './year-simulation.ts'

/** Three leads a week and clinic are 1.56 million a year. */
const FULL: Size = { clinics: 10_000, days: 365, weekly: 3, workers: 1 }
const SMALL: Size = { clinics: 100, days: 28, weekly: 3, workers: 1 }

export const year = defineBenchmark({
  measures: 'A year of leads, simulated by the rules of the product; fails when a delivery is lost.',
  full: FULL,
  smoke: SMALL,
  async run(_, size) {
    const shipped = {
      visitor: EnvSchema.shape.VISITOR_LEADS_PER_HOUR.parse(undefined),
      // Each lead of the simulation has an address of its own.
      address: Infinity,
      clinic: EnvSchema.shape.CLINIC_LEADS_PER_HOUR.parse(undefined),
      all: EnvSchema.shape.LEADS_PER_HOUR.parse(undefined),
    }
    if (!isDeepStrictEqual(playYear(SMALL, shipped), playYear(SMALL, shipped))) {
      throw new Error('The same seed played two different years')
    }
    play('with the caps as shipped', size, shipped)
    play('with caps raised for the campaign', size, { ...shipped, clinic: Infinity, all: Infinity })
  },
})

function play(scenario: string, size: Size, caps: MailCaps): void {
  const { quarters, outages } = playYear(size, caps)
  const named = <Row>(rowOf: (quarter: Year['quarters'][number]) => Row) =>
    Object.fromEntries(quarters.map((quarter, index) => [`quarter ${index + 1}`, rowOf(quarter)]))
  print(
    `${size.days} days of ${size.clinics} clinics, ${scenario}: the queue`,
    named(({ leads, held, deliveries, attempts, due, retrying }) => ({
      leads,
      held,
      deliveries,
      'attempts per delivery': (attempts / deliveries).toFixed(3),
      'due p99': at(due, 0.99),
      'due max': at(due, 1),
      'waiting for a retry, max': retrying,
    })),
  )
  print(
    'From the form to its acceptance; what failed for good is under “Needs attention”',
    named((quarter) => ({
      p50: words(at(quarter.delays, 0.5)),
      p99: words(at(quarter.delays, 0.99)),
      'p99.9': words(at(quarter.delays, 0.999)),
      max: words(at(quarter.delays, 1)),
      ...Object.fromEntries([...quarter.failed].toSorted().map(([cause, times]) => [`failed: ${cause}`, times])),
      'still open': openOf(quarter),
    })),
  )
  print(
    'After each outage, until each delivery that it held up was tried again',
    Object.fromEntries(outages.map(({ name, held, drained }) => [name, { 'held up': held, drained: words(drained) }])),
  )
}

function at(values: number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function words(ms: number): string {
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(1)} s`
  return ms < HOUR ? `${(ms / MINUTE).toFixed(1)} min` : `${(ms / HOUR).toFixed(1)} h`
}

/** What can be measured. All numbers are inches; the gain is what the projection adds after `MONTHS`. */
export type Measure = { min: number; max: number; initial: number; gain: number }

export const MONTHS = 6

export const measures = {
  length: { min: 3, max: 8, initial: 5.16, gain: 1.04 },
  girth: { min: 3, max: 7, initial: 4.59, gain: 0.54 },
} as const satisfies Record<string, Measure>

export const STEP = 0.1

const STEPS_PER_INCH = 10

/** With two decimals: `5.16`. */
export function inches(value: number): string {
  return value.toFixed(2)
}

/** The nearest value on the step. */
export function toStep(value: number): number {
  return Math.round(value * STEPS_PER_INCH) / STEPS_PER_INCH
}

export function isOnStep(value: number): boolean {
  return toStep(value) === value
}

/**
 * The value that many steps up or down, within the measure. A value between two steps (both initial ones are) counts
 * to the next one as a whole step: 5.16 goes up to 5.2 and down to 5.1.
 */
export function moveBySteps(value: number, steps: number, { min, max }: Measure): number {
  const start = isOnStep(value) ? value : value - Math.sign(steps) * (STEP / 2)
  return Math.min(max, Math.max(min, toStep(toStep(start) + steps * STEP)))
}

import { brand } from '../../../core/brand/brand.ts'

/** A measure. All numbers are inches; the gain is the projected increase after `MONTHS`. */
export type Measure = { min: number; max: number; initial: number; gain: number }

export const MONTHS = brand.study.months

export const measures = {
  length: { min: 3, max: 8, initial: 5.16, gain: brand.study.gain.length },
  girth: { min: 3, max: 7, initial: 4.59, gain: brand.study.gain.girth },
} as const satisfies Record<string, Measure>

export const STEP = 0.1

const STEPS_PER_INCH = 10

/** Formats inches with two decimals: `5.16`. */
export function inches(value: number): string {
  return value.toFixed(2)
}

/** Returns the nearest value on a step. */
export function toStep(value: number): number {
  return Math.round(value * STEPS_PER_INCH) / STEPS_PER_INCH
}

export function isOnStep(value: number): boolean {
  return toStep(value) === value
}

/**
 * Returns the value some steps up or down, within the measure. From a value between two steps (both initial ones are),
 * the first step goes to the next step: 5.16 goes up to 5.2 and down to 5.1.
 */
export function moveBySteps(value: number, steps: number, { min, max }: Measure): number {
  const start = isOnStep(value) ? value : value - Math.sign(steps) * (STEP / 2)
  return Math.min(max, Math.max(min, toStep(toStep(start) + steps * STEP)))
}

import type { Experiment, Variant } from '../contract/page-views.ts'

/** Page loads, and those among them that ended in a sent form. */
export type Trials = { seen: number; submitted: number }

/** The quantiles of the normal distribution for an interval of 95%, and for a power of 80%. */
const Z_95 = 1.959964
const Z_POWER_80 = 0.841621

/** The smallest change of the share that an experiment is planned for: a fifth of it. */
export const PLANNED_CHANGE = 0.2
/** Where fewer page views than these were counted before, the share is assumed. */
export const MIN_BASELINE_VIEWS = 500
export const ASSUMED_BASELINE = 0.03

/** The quantile of chi-square with one degree of freedom for a probability of 0.001. */
const CHI_SQUARE_999 = 10.828

/**
 * Returns the 95% interval of a share.
 * Source: Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927), 209-212.
 */
export function wilson({ seen, submitted }: Trials): { from: number; to: number } {
  const share = submitted / seen
  const z2 = Z_95 ** 2
  const middle = share + z2 / (2 * seen)
  const half = Z_95 * Math.sqrt((share * (1 - share)) / seen + z2 / (4 * seen ** 2))
  const scale = 1 + z2 / seen
  return { from: Math.max(0, (middle - half) / scale), to: Math.min(1, (middle + half) / scale) }
}

/**
 * Returns the share of `other` minus that of `original`, with its 95% interval; null where one was never seen. Valid for one
 * look at a time that was fixed in advance.
 * Source: Newcombe, "Interval estimation for the difference between independent proportions: comparison of eleven methods",
 * Statistics in Medicine 17 (1998), 873-890, method 10.
 */
export function difference({ original, other }: Record<Variant, Trials>): Experiment['difference'] {
  if (original.seen === 0 || other.seen === 0) return null
  const [a, b] = [original.submitted / original.seen, other.submitted / other.seen]
  const [ofA, ofB] = [wilson(original), wilson(other)]
  return {
    share: b - a,
    from: b - a - Math.hypot(b - ofB.from, ofA.to - a),
    to: b - a + Math.hypot(ofB.to - b, a - ofA.from),
  }
}

/**
 * Returns the page loads that each variant needs to find a change by `PLANNED_CHANGE` with a power of 80%, at a level of 5%.
 * Source: Fleiss, Levin and Paik, "Statistical Methods for Rates and Proportions", third edition, section 4.2, without the
 * correction for continuity.
 */
export function plannedPerVariant(baseline: number): number {
  const changed = Math.min(0.99, baseline * (1 + PLANNED_CHANGE))
  const middle = (baseline + changed) / 2
  const spread =
    Z_95 * Math.sqrt(2 * middle * (1 - middle)) +
    Z_POWER_80 * Math.sqrt(baseline * (1 - baseline) + changed * (1 - changed))
  return Math.ceil(spread ** 2 / (changed - baseline) ** 2)
}

/** Returns what an experiment is planned with: the share before it if enough was counted then, or else an assumed one. */
export function planOf(before: Trials): Experiment['planned'] {
  const isMeasured = before.seen >= MIN_BASELINE_VIEWS && before.submitted > 0 && before.submitted < before.seen
  const baseline = isMeasured ? before.submitted / before.seen : ASSUMED_BASELINE
  return { perVariant: plannedPerVariant(baseline), baseline, isMeasured }
}

/**
 * Returns whether two counts differ more than a fair split explains, which in one of a thousand fair splits happens by
 * chance. Something then loses page loads of one variant.
 * Source: Kohavi, Tang and Xu, "Trustworthy Online Controlled Experiments" (2020), chapter 21 (sample ratio mismatch).
 */
export function isSplitUneven({ original, other }: Record<Variant, Trials>): boolean {
  const all = original.seen + other.seen
  return all > 0 && (original.seen - other.seen) ** 2 / all > CHI_SQUARE_999
}

import type { Vital, VitalSummary } from '../contract/page-views.ts'

type Scale = {
  /** The upper ends of the buckets, in milliseconds or as a score. A last bucket has all above. */
  ends: readonly number[]
  /** The highest value that is good, and the highest that is not poor. Both are ends of buckets. */
  good: number
  fair: number
}

/**
 * The buckets and the thresholds of each vital. Because the thresholds are ends of buckets, a rating is exact.
 * Source: https://web.dev/articles/vitals and https://web.dev/articles/ttfb.
 */
export const VITAL_SCALES: Record<Vital, Scale> = {
  lcp: {
    ends: [500, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2500, 3000, 3500, 4000, 5000, 6000, 8000, 12_000],
    good: 2500,
    fair: 4000,
  },
  inp: { ends: [25, 50, 75, 100, 150, 200, 250, 300, 400, 500, 700, 1000, 2000], good: 200, fair: 500 },
  cls: { ends: [0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.5, 1], good: 0.1, fair: 0.25 },
  ttfb: { ends: [100, 200, 300, 400, 600, 800, 1000, 1400, 1800, 2500, 4000, 8000], good: 800, fair: 1800 },
}

/** Returns the bucket of a value: the first one whose upper end is not below it. */
export function bucketOf(vital: Vital, value: number): number {
  const { ends } = VITAL_SCALES[vital]
  const bucket = ends.findIndex((end) => value <= end)
  return bucket === -1 ? ends.length : bucket
}

type Summary = Pick<VitalSummary, 'count' | 'p75' | 'isAbove' | 'rating' | 'good' | 'needsImprovement' | 'poor'>

/**
 * Returns the 75th percentile of a histogram, by the nearest rank, and the number of values with each rating.
 * @param counts the number of values by bucket, of which at least one is not 0
 */
export function summarize(vital: Vital, counts: ReadonlyMap<number, number>): Summary {
  const { ends, good: goodEnd, fair: fairEnd } = VITAL_SCALES[vital]
  const inBuckets = (isIn: (bucket: number) => boolean) =>
    [...counts].reduce((sum, [bucket, count]) => sum + (isIn(bucket) ? count : 0), 0)
  const endOf = (bucket: number) => ends[bucket] ?? Infinity

  const count = inBuckets(() => true)
  const good = inBuckets((bucket) => endOf(bucket) <= goodEnd)
  const poor = inBuckets((bucket) => endOf(bucket) > fairEnd)
  const buckets = [...counts.keys()].toSorted((a, b) => a - b)
  const found = buckets.find((bucket) => inBuckets((other) => other <= bucket) >= 0.75 * count)
  const end = endOf(found ?? ends.length)
  return {
    ...{ count, good, needsImprovement: count - good - poor, poor },
    p75: Number.isFinite(end) ? end : Number(ends.at(-1)),
    isAbove: !Number.isFinite(end),
    rating: end <= goodEnd ? 'good' : end <= fairEnd ? 'needs improvement' : 'poor',
  }
}

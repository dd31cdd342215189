import { FIGURES, type Figures, type Overview } from '../../core/insight/contract/overview.ts'

/** In the order of `FIGURES`: six stages, unmatched, held, due, in time. */
const figures = (...counts: number[]) =>
  Object.fromEntries(FIGURES.map((name, index) => [name, counts[index] ?? 0])) as Figures
const group = (
  name: string | null,
  now: number[],
  { before = [] as number[], providerId = null as number | null } = {},
) => ({
  ...{ name, source: null, providerId, now: figures(...now), before: figures(...before) },
})

/** Two days in which 27 of 30 leads found a provider, and one is held. */
export function overview(overrides: Partial<Overview> = {}): Overview {
  return {
    from: '2026-11-01',
    to: '2026-11-02',
    before: { from: '2026-10-30', to: '2026-10-31' },
    totals: {
      now: figures(31, 25, 20, 12, 8, 4, 3, 1, 20, 14),
      before: figures(20, 19, 15, 9, 5, 2, 1, 0, 9, 9),
    },
    answerTime: { now: 7_200_000, before: null },
    outcomes: {
      ...{ opened: 4, reached: 4, no_answer: 3, wrong_number: 0, booked: 3, attended: 1 },
      ...{ no_show: 1, treated: 3, declined: 1, opted_out: 0 },
    },
    groups: {
      provider: [
        group('Quill Clinic', [9, 5, 4, 3, 2, 1, 0, 0, 2, 2], { providerId: 8 }),
        group(null, [4, 0, 0, 0, 0, 0, 3, 1]),
      ],
      source: [
        group('google', [20, 18, 15, 10, 4, 4, 3, 1, 12, 6], { before: [12] }),
        group(null, [10, 7, 5, 6, 3], { before: [8] }),
        group('bing', [1, 1, 1, 1, 1]),
      ],
      campaign: [],
      state: [group('TX', [31, 25, 20, 12, 8, 4])],
    },
    totalGroups: { provider: 2, source: 3, campaign: 0, state: 1 },
    days: [
      { day: '2026-11-01', received: 1, matched: 1, unmatched: 0, held: 0 },
      { day: '2026-11-02', received: 30, matched: 26, unmatched: 3, held: 1 },
    ],
    deliveries: { email: { success: 25, pending: 0, failed: 2 }, crm: { success: 30, pending: 0, failed: 0 } },
    coverage: {
      zips: [
        {
          ...{ zip: '83702', city: 'Boise', state: 'ID', leads: 2 },
          ...{ nearestMiles: 1234.4, matchedByHand: 1, matchedMiles: 183.2 },
        },
        {
          ...{ zip: '99901', city: null, state: null, leads: 1 },
          ...{ nearestMiles: null, matchedByHand: 0, matchedMiles: null },
        },
      ],
      totalZips: 2,
    },
    madeUp: 0,
    ...overrides,
  }
}

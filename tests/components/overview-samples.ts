import type { Funnel, Overview } from '../../core/insight/contract/overview.ts'

/** Two days in which 27 of 30 leads found a clinic, and one is held. */
export function overview(overrides: Partial<Overview> = {}): Overview {
  return {
    from: '2026-11-01',
    to: '2026-11-02',
    totals: { received: 31, matched: 27, unmatched: 3, held: 1, matchedShare: 0.9 },
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
    ...overrides,
  }
}

const stages = (received = 0, delivered = 0, opened = 0, reached = 0, booked = 0, attended = 0) => ({
  ...{ received, delivered, opened, reached, booked, attended },
})
const none = { before: stages(), source: null, providerId: null }

/** Outcomes of the leads of these two days. */
export function funnel(overrides: Partial<Funnel> = {}): Funnel {
  return {
    from: '2026-11-01',
    to: '2026-11-02',
    before: { from: '2026-10-30', to: '2026-10-31' },
    leads: { now: stages(31, 25, 20, 12, 8, 4), before: stages(20, 19, 15, 9, 5, 2) },
    people: { now: stages(29, 24, 19, 12, 8, 4), before: stages(20, 19, 15, 9, 5, 2) },
    outcomes: {
      ...{ opened: 4, reached: 4, no_answer: 3, wrong_number: 0, booked: 3, attended: 1 },
      ...{ no_show: 1, treated: 3, declined: 1, opted_out: 0 },
    },
    answers: {
      now: { answered: 16, medianMs: 7_200_000, inTime: 14, due: 20 },
      before: { answered: 0, medianMs: null, inTime: 0, due: 0 },
    },
    groups: {
      clinic: [
        ...Array.from({ length: 9 }, (_, index) => ({
          ...none,
          name: `Clinic ${index}`,
          providerId: index + 1,
          stages: stages(9 - index, 5, 4, 3, 2, 1),
        })),
        { ...none, name: null, stages: stages(1) },
      ],
      source: [
        { ...none, name: 'google', stages: stages(20, 18, 15, 10, 8, 4), before: stages(12) },
        { ...none, name: null, stages: stages(11, 7, 5, 2) },
      ],
      campaign: [],
      state: [{ ...none, name: 'TX', stages: stages(31, 25, 20, 12, 8, 4) }],
    },
    totalGroups: { clinic: 10, source: 2, campaign: 0, state: 1 },
    attention: [
      {
        providerId: 4,
        name: 'Lindqvist Clinic',
        reasons: [
          { kind: 'refused', leads: 2 },
          { kind: 'silent', leads: 5 },
          { kind: 'late', leads: 1 },
          { kind: 'declining', share: 0.1, before: 0.5 },
        ],
      },
    ],
    totalAttention: 1,
    madeUp: 0,
    ...overrides,
  }
}

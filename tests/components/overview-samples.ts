import type { Overview } from '../../core/contract/overview.ts'

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
    deliveries: {
      email: { success: 25, pending: 0, failed: 2 },
      crm: { success: 30, pending: 0, failed: 0 },
    },
    timeToDelivery: { email: { count: 25, p50: 4000, p95: 20_000 }, crm: { count: 0, p50: null, p95: null } },
    failures: [
      {
        target: 'clinic',
        cause: 'unknown_mailbox',
        words: 'The mailbox does not exist.',
        advice: 'Check the e-mail address.',
        failed: 8,
        retrying: 1,
        topClinics: [
          { id: 4, name: 'Lindqvist Clinic', leads: 4 },
          { id: 9, name: 'Whitfield', leads: 2 },
          { id: 2, name: 'Chen', leads: 1 },
        ],
        clinics: 5,
      },
    ],
    coverage: {
      zips: [
        {
          zip: '83702',
          city: 'Boise',
          state: 'ID',
          latitude: 43.6,
          longitude: -116.2,
          leads: 2,
          nearestMiles: 1234.4,
          matchedByHand: 1,
          matchedMiles: 183.2,
        },
        {
          zip: '99901',
          city: null,
          state: null,
          latitude: null,
          longitude: null,
          leads: 1,
          nearestMiles: null,
          matchedByHand: 0,
          matchedMiles: null,
        },
      ],
      totalZips: 2,
    },
    ...overrides,
  }
}

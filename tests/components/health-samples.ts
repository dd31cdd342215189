import type { Integrations, Sending, SendingPause } from '../../core/conditions/contract/integrations.ts'

export const MINUTE = 60_000
export const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
export const later = (ms: number) => ago(-ms)

export const sending = (overrides: Partial<Sending> = {}): Sending => ({
  ...{ state: 'working', note: null, pause: null },
  hour: { succeeded: 29, failed: 1 },
  day: { succeeded: 0, failed: 0 },
  last_success_at: ago(2 * MINUTE),
  last_failure: null,
  ...{ waiting: 0, retrying: 0, oldest_waiting_at: null, failed: { total: 0, since: ago(30 * 24 * 60 * MINUTE) } },
  ...overrides,
})

export const health = (overrides: Partial<Integrations> = {}): Integrations => ({
  crm: { ...sending(), kind: 'hubspot' },
  mail: sending(),
  wordpress: { ...sending(), state: 'not_set_up', next_at: null },
  queue: {
    ...{ state: 'working', note: null, backend: 'Redis', queues: [queueOf()] },
  },
  workers: { state: 'working', note: null, running: 2, last_seen_at: ago(5000), running_since: ago(120 * MINUTE) },
  database: {
    ...{ state: 'working', note: null, answer_ms: 1.5, bytes: 1.4 * 1024 ** 3 },
    ...{ connections: 20, max_connections: 100, longest_transaction: 0 },
  },
  ...overrides,
})

/** A pause of sending to the CRM, for an hour. */
export const pauseOf = (overrides: Partial<SendingPause> = {}): SendingPause => ({
  ...{ integration: 'crm', kind: 'staff', until: later(60 * MINUTE), reason: 'Maintenance' },
  ...{ paused_at: ago(MINUTE), paused_by: 'ana@leadwell.example', paused_by_name: 'Ana Flores' },
  ...overrides,
})

export const queueOf = (overrides: Partial<NonNullable<Integrations['queue']['queues']>[number]> = {}) => ({
  ...{ name: 'send-email' as const, waiting: 3, active: 2, delayed: 0, failed: 77 },
  ...{ oldest_waiting_at: ago(5 * MINUTE), is_paused: false, ...overrides },
})

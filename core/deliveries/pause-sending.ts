import {
  type NewSendingPause,
  SENDING_WORDS,
  type SendingId,
  type SendingPause,
} from '../conditions/contract/integrations.ts'
import { AppError } from '../errors.ts'
import * as answerClocks from '../leads/stores/answer-clocks.ts'
import type { Db, Transaction } from '../platform/db.ts'
import type { Logger } from '../platform/log.ts'
import type { NetworkPause, NewNetworkPause } from '../providers/contract/provider-rules.ts'
import * as providerRules from '../providers/stores/provider-rules.ts'
import type { Actor } from '../staff/stores/audit-log.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import { pauseAfter, shouldOpen, signOf } from './rules/failures.ts'
import * as changes from './stores/changes.ts'
import * as jobs from './stores/jobs.ts'
import * as sending from './stores/sending.ts'
import * as sendingPauses from './stores/sending-pauses.ts'

/** The actor of what happens by itself. */
const SYSTEM = 'system'

/** Pauses sending to an integration until a time. Attempts that are under way end as usual. */
export async function pauseSending(db: Db, pause: NewSendingPause, { actor }: Actor): Promise<SendingPause> {
  return db.transaction(async (trx) => {
    await sendingPauses.lock(trx, pause.integration)
    const opened = await sendingPauses.open(trx, { ...pause, kind: 'staff', actor })
    const { integration, until, reason } = opened
    await record(trx, { actor, action: 'pause-sending', integration, details: { kind: 'staff', until, reason } })
    return opened
  })
}

/** Ends a pause. What waited is due at once. @throws AppError `not_found` when it has ended */
export async function resumeSending(db: Db, integration: SendingId, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    const pause = await sendingPauses.lock(trx, integration)
    if (!pause?.isOpen) throw new AppError('not_found', 'This pause has ended.')
    await resume(trx, pause, actor)
  })
}

/**
 * Opens the breaker of an integration that refuses everything. Once its time has come, lets one delivery through as a probe,
 * and closes the breaker or opens it for longer, as the answer says. Any number of workers may call it, every few seconds.
 * @returns whether something has changed
 */
export async function watchSending(db: Db, integration: SendingId, log: Logger): Promise<boolean> {
  return db.transaction(async (trx) => {
    const pause = await sendingPauses.lock(trx, integration)
    if (!pause?.isOpen) return openIfRefused(trx, integration, pause, log)
    if (pause.kind === 'staff' || !pause.isDue) return false
    if (pause.probe_job_id === null || pause.probe_since === null) return probe(trx, integration)

    const answer = await sending.readProbe(trx, pause.probe_job_id, pause.probe_since)
    if (answer === undefined) return false
    const sign = answer === 'gone' ? 'none' : signOf(integration, answer.outcome === 'done' ? null : answer.cause)
    if (sign === 'none') {
      await sendingPauses.withdrawProbe(trx, integration)
      return probe(trx, integration)
    }
    if (sign === 'alive') {
      await resume(trx, pause, SYSTEM)
      log.info({ integration }, 'sending resumed: the probe succeeded')
      return true
    }
    const trips = pause.trips + 1
    await sendingPauses.reopen(trx, integration, { trips, pause: pauseAfter(trips) })
    await changes.announce(trx, { sending: [integration] })
    log.warn({ integration, trips, ms: pauseAfter(trips) }, 'sending still paused: the probe was rejected')
    return true
  })
}

async function openIfRefused(
  trx: Transaction,
  integration: SendingId,
  last: sendingPauses.LockedPause | null,
  log: Logger,
): Promise<boolean> {
  const streak = await sending.readStreak(trx, integration, last && (last.ended_at ?? last.until))
  if (!shouldOpen(streak)) return false
  const { faults, cause, error } = streak
  const reason = `${SENDING_WORDS[integration].name} refused ${faults} attempts in a row. ${error ?? ''}`.trim()
  const sentence = reason.charAt(0).toUpperCase() + reason.slice(1)
  const pause = {
    integration,
    kind: 'breaker',
    actor: SYSTEM,
    reason: sentence,
    until: pauseAfter(1),
    trips: 1,
  } as const
  await sendingPauses.open(trx, pause)
  const details = { kind: 'breaker', reason: sentence, cause, attempts: faults }
  await record(trx, { actor: SYSTEM, action: 'pause-sending', integration, details })
  log.warn({ integration, cause, attempts: faults, ms: pauseAfter(1) }, 'sending paused: everything is rejected')
  return true
}

async function probe(trx: Transaction, integration: SendingId): Promise<boolean> {
  const chosen = await sendingPauses.chooseProbe(trx, integration)
  if (chosen) await jobs.wakeRelay(trx)
  return chosen !== null
}

async function resume(trx: Transaction, pause: sendingPauses.LockedPause, actor: string): Promise<void> {
  const { integration, kind } = pause
  await sendingPauses.end(trx, integration)
  await jobs.wakeRelay(trx)
  await record(trx, { actor, action: 'resume-sending', integration, details: { kind } })
}

type Recorded = {
  actor: string
  action: 'pause-sending' | 'resume-sending'
  integration: SendingId
  details: Record<string, unknown>
}

async function record(trx: Transaction, { integration, details, ...act }: Recorded): Promise<void> {
  const line = { ...act, entity: 'network', entityId: 'all', details: { integration, ...details } } as const
  await auditLog.record(trx, line)
  await changes.announce(trx, { sending: [integration] })
}

/** Stops the clocks of all providers from one time to another. Open clocks are worked out again. */
export async function pauseNetwork(db: Db, pause: NewNetworkPause, { actor }: Actor): Promise<NetworkPause> {
  return db.transaction(async (trx) => {
    await providerRules.lock(trx)
    const added = await providerRules.add(trx, pause, actor)
    await answerClocks.markStale(trx)
    const { id, ...details } = added
    await auditLog.record(trx, { actor, action: 'pause-network', entity: 'network', entityId: id, details })
    return added
  })
}

/** Ends a pause now, or cancels one that has not begun. @throws AppError `not_found` when it has ended */
export async function endPause(db: Db, id: number, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    await providerRules.lock(trx)
    const ended = await providerRules.end(trx, id)
    if (!ended) throw new AppError('not_found', 'This pause has ended.')
    await answerClocks.markStale(trx)
    const { reason } = ended
    await auditLog.record(trx, { actor, action: 'end-pause', entity: 'network', entityId: id, details: { reason } })
  })
}

import type { AttentionLine, AttentionOf } from '../../../core/contract/attention.ts'
import { CAUSE_WORDS } from '../../../core/contract/failure-causes.ts'
import { HELD_REASONS } from '../../../core/contract/forms.ts'
import { hoursInWords } from '../../../core/contract/hours-words.ts'
import { RECENT_DAYS } from '../../../core/contract/lead-match.ts'
import { formatDay, formatMinute, formatRecent } from '../../lib/dates.ts'
import { milesInWords } from '../../lib/distance.ts'
import { countOf } from '../../lib/numbers.ts'

export const SYNC_TITLES: Record<AttentionOf<'sync'>['trouble'], string> = {
  overdue: 'Sync overdue',
  failed: 'Sync failed',
  approval: 'Sync waits for approval',
  'old-leads': 'Old leads with a new clinic',
}

/** Names what a line is about. */
export function titleOf(line: AttentionLine): string {
  switch (line.kind) {
    case 'stop':
    case 'not-reached':
    case 'no-answer':
    case 'activation':
    case 'paused':
    case 'hours':
      return line.clinic.name
    case 'wrong-number':
    case 'unmatched':
    case 'held':
      return line.name
    case 'crm':
      if (line.isStop) return 'Stop not in the CRM'
      return line.cause ? CAUSE_WORDS[line.cause].words.replace(/\.$/, '') : 'Refused'
    case 'sync':
      return SYNC_TITLES[line.trouble]
    case 'application':
      return line.practice
  }
}

/** Says what is wrong. */
export function wordsOf(line: AttentionLine): string {
  switch (line.kind) {
    case 'stop':
      return `Had to confirm by ${formatDay(line.since)} that it stopped contacting ${line.name ?? 'a person'}, lead no. ${line.leadId}`
    case 'not-reached':
      return `${countOf(line.leads, 'request')}${line.isRetrying ? ', still being tried' : ''}. ${saidOf(line)}`
    case 'no-answer':
      return `${countOf(line.leads, 'request')} without an answer in time${olderWords(line)}`
    case 'wrong-number':
      return wrongNumberWords(line)
    case 'unmatched':
      if (line.do_not_contact) return `${placeOf(line)}. Asked not to be contacted, so no clinic is needed`
      return line.nearest
        ? `${placeOf(line)}. Nearest: ${line.nearest.name}, ${milesInWords(line.nearest.miles)}`
        : `${placeOf(line)}. No clinic can be placed on the map`
    case 'paused':
      return pauseWords(line)
    case 'hours':
      return `Changed its hours: ${hoursInWords(line.hours)}`
    case 'crm':
      return `${countOf(line.leads, 'lead')}${line.isRetrying ? ', still being tried' : ''}. ${saidOf(line)}`
    case 'sync':
      return syncWords(line)
    case 'activation':
      return `${line.zip}, ${line.clinic.email}. New in WordPress: gets no leads until its address confirms, or a manager activates it`
    case 'held':
      return `${line.zip}. ${HELD_REASONS[line.reason]}`
    case 'application':
      return line.heldReason
        ? `${line.name}, ${line.zip}. Held: ${HELD_REASONS[line.heldReason]}`
        : `${line.name}, ${line.zip}. New for longer than the 48 hours that we promise`
  }
}

function olderWords({ leads, older }: AttentionOf<'no-answer'>): string {
  if (older === 0) return ''
  return older === leads ? `, older than ${RECENT_DAYS} days` : `, ${older} of them older than ${RECENT_DAYS} days`
}

function pauseWords({ until, because, leads }: AttentionOf<'paused'>): string {
  const end = until ? `until ${formatMinute(until)}` : '(no end)'
  return `Paused itself ${end} · ${countOf(leads, 'lead')} in 30 days${because ? `. It said: “${because}”` : ''}`
}

function wrongNumberWords({ clinic, asked, do_not_contact }: AttentionOf<'wrong-number'>): string {
  const asks = do_not_contact ? 'asked not to be contacted' : asked ? 'asked by email' : 'not asked by email'
  return `Wrong number: ${asks}${clinic === null ? '' : `. ${clinic} waits for the right one`}`
}

function saidOf({ error, detail }: Pick<AttentionOf<'crm'>, 'error' | 'detail'>): string {
  return [error, detail && `It said: “${detail}”`].filter(Boolean).join(' ')
}

function placeOf({ city, state, zip }: AttentionOf<'unmatched'>): string {
  return city && state ? `${city}, ${state} ${zip}` : zip
}

function syncWords({ trouble, leads, error, since }: AttentionOf<'sync'>): string {
  switch (trouble) {
    case 'overdue':
      return Date.parse(since) === 0
        ? 'No sync has succeeded yet'
        : `The last successful sync ended ${formatRecent(since)}. Two scheduled ones were missed since then`
    case 'failed':
      return error ?? 'It has changed nothing'
    case 'approval':
      return error ?? 'It would make sensitive changes, so it has changed nothing'
    case 'old-leads':
      return `${countOf(leads, 'lead')} ${leads === 1 ? 'has' : 'have'} a clinic in reach since a sync, and ${leads === 1 ? 'is' : 'are'} too old to be matched automatically`
  }
}

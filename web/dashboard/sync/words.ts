import type {
  ApprovalReason,
  SyncChangeKind,
  SyncCounts,
  SyncImpact,
  SyncRun,
} from '../../../core/sync/contract/sync.ts'
import { actorName } from '../../lib/actors.ts'
import { formatDay } from '../../lib/dates.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import type { Tone } from '../../ui/feedback.tsx'

export function starterOf({
  trigger,
  started_by,
  started_by_name,
}: Pick<SyncRun, 'trigger' | 'started_by' | 'started_by_name'>): string {
  if (started_by_name) return started_by_name
  if (trigger === 'schedule') return 'Schedule'
  if (trigger === 'command') return 'Command line'
  return actorName({ actor: started_by ?? 'staff', actor_name: null })
}

type Standing = Pick<SyncRun, 'state' | 'dry_run' | 'approved' | 'can_be_approved'>

export function stateOf({ state, dry_run, approved, can_be_approved }: Standing): { label: string; tone: Tone } {
  switch (state) {
    case 'waiting':
      return { label: 'Waiting', tone: 'wait' }
    case 'running':
      return { label: 'Running', tone: 'wait' }
    case 'needs_approval':
      if (approved) return { label: 'Approved', tone: 'good' }
      return can_be_approved ? { label: 'Needs approval', tone: 'wait' } : { label: 'Not applied', tone: 'neutral' }
    case 'done':
      return dry_run ? { label: 'Dry run', tone: 'neutral' } : { label: 'Done', tone: 'good' }
    case 'failed':
      return { label: 'Failed', tone: 'bad' }
  }
}

export function progressOf({ state, pages_done, pages_total }: SyncRun): string {
  if (state === 'waiting') return 'Waiting for a worker'
  if (pages_total === null) return 'Contacting WordPress'
  return `Page ${formatCount(pages_done)} of ${formatCount(pages_total)}`
}

/** Describes the progress for screen readers, in quarters instead of pages. */
export function spokenProgressOf({ dry_run, state, pages_done, pages_total }: SyncRun): string {
  const what = `${dry_run ? 'Dry run' : 'Sync'} under way`
  if (state !== 'running' || !pages_total) return what
  return `${what}: ${Math.floor((4 * pages_done) / pages_total) * 25}%`
}

const VERBS = {
  created: 'to create',
  updated: 'to update',
  deactivated: 'to deactivate',
  reactivated: 'to reactivate',
} as const satisfies Partial<Record<keyof SyncCounts, string>>

export function isCounted({ state }: Pick<SyncRun, 'state'>): boolean {
  return state === 'done' || state === 'needs_approval'
}

/** Tells whether a run has changed nothing and only lists planned changes. */
export function isTrial({ dry_run, state }: Pick<SyncRun, 'dry_run' | 'state'>): boolean {
  return dry_run || state === 'needs_approval'
}

/** Returns, for example, `30 posts seen, 3 created, 1 post skipped.`, or planned: `30 posts seen, 3 to create.` */
export function countsSentence(run: Pick<SyncRun, 'counts' | 'dry_run' | 'state'>): string {
  const { seen, skipped } = run.counts
  const changed = (Object.keys(VERBS) as (keyof typeof VERBS)[])
    .filter((name) => run.counts[name] > 0)
    .map((name) => `${formatCount(run.counts[name])} ${isTrial(run) ? VERBS[name] : name}`)
  const nothing = isTrial(run) ? 'nothing to change' : 'nothing changed'
  const parts = [
    `${countOf(seen, 'post')} seen`,
    ...(changed.length > 0 ? changed : [nothing]),
    ...(skipped > 0 ? [`${countOf(skipped, 'post')} skipped`] : []),
  ]
  return `${parts.join(', ')}.`
}

export function leadsSentence({ leads_queued, leads_matched }: SyncRun): string {
  if (leads_queued === 0) return 'No waiting leads had to be checked again.'
  const matched = leads_matched === 0 ? 'none' : formatCount(leads_matched)
  return `${countOf(leads_queued, 'waiting lead')} checked again, ${matched} matched so far.`
}

/** Returns, for example, `3 requests from before Oct 24, 2026 are within reach of new clinics`. */
export function oldLeadsWords({ old_leads, old_leads_before }: SyncRun): string {
  const are = old_leads === 1 ? 'is' : 'are'
  return `${countOf(old_leads, 'request')} from before ${formatDay(old_leads_before)} ${are} within reach of new providers`
}

export const CHANGES: Record<SyncChangeKind, { done: string; wanted: string }> = {
  deactivate: { done: 'Deactivated', wanted: 'To be deactivated' },
  reactivate: { done: 'Reactivated', wanted: 'To be reactivated' },
  create: { done: 'Created', wanted: 'To be created' },
  update: { done: 'Updated', wanted: 'To be updated' },
}

const FIELDS: Record<string, string> = {
  name: 'Name',
  practiceName: 'Practice name',
  address: 'Address',
  zipCode: 'Zip code',
  latitude: 'Latitude',
  longitude: 'Longitude',
  phone: 'Phone',
  email: 'Email',
  website: 'Website',
  url: 'Page',
  mpxapi: 'MPX API',
  domain: 'Domain',
  google_ads_id: 'Google Ads ID',
  bing_ads_id: 'Bing Ads ID',
  image_url: 'Picture',
  logo_url: 'Logo',
  accepts_free_consultation: 'Free consultation',
  accepts_financing: 'Financing',
  hidden: 'Hidden from visitors',
}

export function fieldName(field: string): string {
  return FIELDS[field] ?? field
}

export function valueText(value: string | number | boolean | null): string {
  if (value === null || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}

/** Describes a reason for approval: `change 7 email addresses`. */
export function reasonWords({ earlier, ...reason }: ApprovalReason): string {
  return `${actWords(reason)}${earlier ? `, after ${formatCount(earlier)} within a day` : ''}`
}

const CHANGED: Partial<Record<ApprovalReason['kind'], [verb: string, one: string, many?: string]>> = {
  email: ['change', 'email address', 'email addresses'],
  phone: ['change', 'phone number'],
  website: ['change', 'website'],
  address: ['change', 'street address', 'street addresses'],
  name: ['change', 'name'],
}

function actWords({ kind, count }: ApprovalReason): string {
  const [verb = kind, one = 'provider', many = `${one}s`] = CHANGED[kind] ?? []
  const what = `${formatCount(count)} ${count === 1 ? one : many}`
  if (kind === 'domain') return `change or remove the domain of ${what}`
  return kind === 'place' ? `move ${what} more than five miles` : `${verb} ${what}`
}

/** Describes what happens to the leads of the providers that a run deactivates. */
export function impactWords({ providers, days, leads, zips, elsewhere, unmatched, extra_miles }: SyncImpact): string {
  const these = providers === 1 ? 'This provider' : `These ${formatCount(providers)}`
  if (leads === 0) return `${these} took no leads in ${days} days.`
  const median = extra_miles === null ? '' : ` (median ${milesMore(extra_miles)})`
  return `${these} took ${countOf(leads, 'lead')} from ${countOf(zips, 'zip code')} in ${days} days. Of such leads, ${formatCount(
    elsewhere,
  )} would go elsewhere${median}, and ${formatCount(unmatched)} would have no provider.`
}

function milesMore(miles: number): string {
  const whole = Math.round(miles)
  return `${whole < 0 ? '−' : '+'}${countOf(Math.abs(whole), 'mile')}`
}

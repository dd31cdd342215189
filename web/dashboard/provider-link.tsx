import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { milesInWords } from '../../core/contract/texts.ts'
import {
  type DeliveryHealth,
  listProviderFigures,
  type ProviderFigures,
} from '../../core/providers/contract/provider-record.ts'
import type { CapPeriod, Obstacle } from '../../core/providers/contract/provider-rules.ts'
import { activateProvider, MAX_PROVIDER_IDS } from '../../core/providers/contract/providers.ts'
import { act, call } from '../lib/call.ts'
import { formatShortDay } from '../lib/dates.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { searchTo } from './address.ts'

const PERIODS: Record<CapPeriod, { now: string; past: string }> = {
  day: { now: 'today', past: 'that day' },
  week: { now: 'this week', past: 'that week' },
  month: { now: 'this month', past: 'that month' },
}

/** Returns why a clinic takes no lead now: `paused until Dec 1`, `10 of 10 today`. */
export function obstacleWords(obstacle: Obstacle): string {
  switch (obstacle.reason) {
    case 'paused':
      return obstacle.until ? `paused until ${formatShortDay(obstacle.until)}` : 'paused'
    case 'full':
      return `${obstacle.used} of ${obstacle.cap} ${PERIODS[obstacle.period].now}`
    case 'too_far':
      return `takes leads within ${milesInWords(obstacle.radiusMiles)}`
    case 'excluded':
      return 'excludes this zip code'
  }
}

/** Returns why a clinic did not take a lead, as the end of a sentence: `was full: 10 of 10 that day`. */
export function pastObstacleWords(obstacle: Obstacle, { isToday }: { isToday: boolean }): string {
  switch (obstacle.reason) {
    case 'paused':
      return `was ${obstacleWords(obstacle)}`
    case 'full':
      return `was full: ${obstacle.used} of ${obstacle.cap} ${PERIODS[obstacle.period][isToday ? 'now' : 'past']}`
    case 'too_far':
      return `takes leads within ${milesInWords(obstacle.radiusMiles)} only`
    case 'excluded':
      return 'excludes the zip code'
  }
}

type Props = { id: number; className?: string; children: ReactNode }

const LOOK = 'inline-block min-h-6 underline decoration-edge underline-offset-3 hover:text-secondary'

/** Links to the record of a clinic. In the tab of providers, the list keeps its search and its page. */
export function ProviderLink({ id, className = LOOK, children }: Props) {
  const query = new URLSearchParams(useLocation().search)
  const search = query.get('tab') === 'providers' ? recordSearch(query, id) : `?tab=providers&provider=${id}`
  return (
    <Link to={{ search }} className={className}>
      {children}
    </Link>
  )
}

export function recordSearch(query: URLSearchParams, id: number): string {
  return searchTo(query, { tab: 'providers', provider: id, sync: null })
}

/** Returns the figures of these clinics, by default of all, by their ids; empty until they are loaded. */
export function useProviderFigures(ids?: number[]): Map<number, ProviderFigures> {
  const asked = ids?.slice(0, MAX_PROVIDER_IDS).join()
  const { data } = useQuery({
    queryKey: ['providers', 'figures', asked],
    queryFn: () => call(listProviderFigures, { query: { ids: asked } }),
    placeholderData: keepPreviousData,
    enabled: asked !== '',
  })
  return useMemo(() => new Map(data?.map((figures) => [figures.id, figures])), [data])
}

const LOOKS: Record<Exclude<DeliveryHealth['state'], 'none'>, string> = {
  ok: 'text-good',
  trouble: 'text-wait',
  bouncing: 'text-bad',
}

export function healthWords({ state, since, failed, of }: DeliveryHealth): string {
  switch (state) {
    case 'ok':
      return of === 1 ? 'The last email was delivered' : `The last ${of} emails were delivered`
    case 'trouble':
      return `${failed} of the last ${of} emails ${failed === 1 ? 'was' : 'were'} not delivered`
    case 'bouncing':
      return `Bouncing${since ? ` since ${formatShortDay(since)}` : ''}, ${failed} of ${of}`
    case 'none':
      return 'No email yet'
  }
}

export function HealthDot({ health }: { health: DeliveryHealth | undefined }) {
  if (!health || health.state === 'none') return null
  const words = healthWords(health)
  return (
    <span title={words} className={`inline-flex shrink-0 align-middle ${LOOKS[health.state]}`}>
      <svg
        viewBox="0 0 16 16"
        className="size-4"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
      >
        <rect x="1.75" y="3.5" width="12.5" height="9" rx="1.5" />
        <path d="m2 4.5 6 4.5 6-4.5" />
        {health.state === 'bouncing' && <path d="M1.5 14.5 14.5 1.5" strokeWidth="2" />}
        {health.state === 'trouble' && <circle cx="13" cy="3.5" r="2.5" fill="currentColor" stroke="none" />}
      </svg>
      <span className="sr-only">{words}</span>
    </span>
  )
}

export function ActivateButton({ id, name }: { id: number; name: string }) {
  return (
    <ActionButton
      act={() => act(activateProvider, { params: { providerId: id } })}
      done={`${name} is activated`}
      failed="Failed to activate the provider"
      changes="providers"
    >
      Activate<span className="sr-only"> {name}</span>
    </ActionButton>
  )
}

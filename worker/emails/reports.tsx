import { format } from 'date-fns'
import type { ReactNode } from 'react'
import { countOf, formatCount as number } from '../../core/contract/format.ts'
import type { Overview } from '../../core/insight/contract/overview.ts'
import {
  type AttentionReason,
  FUNNEL_STAGES,
  type Funnel,
  type FunnelGroup,
  type FunnelStage,
} from '../../core/insight/contract/overview.ts'
import { type Period, periodBefore } from '../../core/insight/rules/overview.ts'
import * as funnels from '../../core/insight/stores/funnel.ts'
import * as overview from '../../core/insight/stores/reports.ts'
import type { LeadFilter } from '../../core/leads/contract/leads.ts'
import * as leadLists from '../../core/leads/stores/lead-lists.ts'
import { defineEmail, type Settings } from './email.ts'
import { Layout } from './layout.tsx'
import { A, Actions, Facts, Figures, Note, Paragraph, Subtitle } from './parts.tsx'
import { emptyWeek, week } from './sample-people.ts'
import { duration, plain, TO_THE_TEAM } from './words.ts'

/*
 * The weekly report to the team. It contains no personal data of visitors. Parts of few are counts (`2 of 3`), because a
 * percentage of three says nothing.
 */

const STAGES: Record<FunnelStage, string> = {
  received: 'Received',
  delivered: 'Delivered',
  opened: 'Opened by the clinic',
  reached: 'Reached',
  booked: 'Booked',
  attended: 'Attended',
}
const MAX_CLINICS = 10
const MAX_SOURCES = 5
const NONE = '–'

const percent = new Intl.NumberFormat('en-US', { style: 'percent' })
const part = (some: number, all: number) => `${number(some)} of ${number(all)}`

/** Formats a day without its year: `Nov 16`. The moment is local, so that no time zone shifts it. */
const day = (iso: string, pattern = 'MMM d') => format(`${iso}T00:00:00`, pattern)
const daysOf = ({ from, to }: Period) => `${day(from)} to ${day(to)}`

/**
 * `totals` are those of the overview for the week and the week before, `deliveries` the current states of the week's
 * deliveries, and `late` the requests whose answer is late now.
 */
type Context = {
  funnel: Funnel
  totals: { now: Overview['totals']; before: Overview['totals'] }
  deliveries: Overview['deliveries']
  late: number
}

/** The report about a week to the team, with its figures as they are now. */
export const weekly_report = defineEmail({
  ...{ about: 'report', purpose: 'weekly_report', to: 'team' },
  label: 'Weekly report to the team',
  async load({ row: { period: week } }, { db, env }) {
    const local = { ...week, timeZone: env.NETWORK_TIME_ZONE }
    // One after the other: a report is never urgent, and each reads all leads of a week.
    const found = await funnels.read(db, local)
    const { totals: now, deliveries } = await overview.read(db, local)
    const { totals: before } = await overview.read(db, { ...periodBefore(week), timeZone: env.NETWORK_TIME_ZONE })
    const late = await leadLists.count(db, { ...local, late: true })
    return { funnel: found, totals: { now, before }, deliveries, late }
  },
  draft(context: Context & Settings) {
    const { funnel, env } = context
    const { received, booked } = funnel.leads.now
    const overviewUrl = `${env.PUBLIC_URL}/admin?${new URLSearchParams({ tab: 'overview', ...daysIn(funnel) })}`
    return {
      subject: `${daysOf(funnel)}: ${countOf(received, 'lead')}, ${number(booked)} booked`,
      body: (
        <Layout
          preview="Outcomes of the week’s leads, and what needs attention."
          title={`The week from ${daysOf(funnel)}, ${day(funnel.to, 'yyyy')}`}
          reason={TO_THE_TEAM}
        >
          {funnel.madeUp > 0 && (
            <Note>Demo data: {countOf(funnel.madeUp, 'lead')} of these two weeks were created for the demo.</Note>
          )}
          <Stages {...context} />
          <Problems {...context} />
          <Attention {...context} />
          <Sources {...context} />
          <Actions of={[['Open the overview of this week', overviewUrl]]} />
        </Layout>
      ),
    }
  },
  samples: {
    'weekly-report': ['To the team: the weekly report', week],
    'weekly-report-quiet': ['To the team: the report of a week without leads', emptyWeek],
  },
})

const daysIn = ({ from, to }: Period) => ({ from, to })

function Stages({ funnel }: Context & Settings) {
  const { leads, answers, before } = funnel
  const { now, before: past } = answers
  const inTime = ({ inTime: some, due }: typeof now) => (due === 0 ? NONE : part(some, due))
  const median = (ms: number | null) => (ms === null ? NONE : duration(ms))
  return (
    <>
      <Figures
        columns={['Leads', daysOf(funnel), daysOf(before)]}
        rows={[
          ...FUNNEL_STAGES.map((stage): [string, string, string] => [
            STAGES[stage],
            number(leads.now[stage]),
            number(leads.before[stage]),
          ]),
          ['Answered in time', inTime(now), inTime(past)],
          ['Median time to answer', median(now.medianMs), median(past.medianMs)],
        ]}
      />
      <Note>
        Leads count for the week they came in, by current outcome. Newer leads have had less time than those of the week
        before.
      </Note>
    </>
  )
}

/** Lists what needs attention, with links to the leads. */
function Problems({ funnel, totals, deliveries, late, env }: Context & Settings) {
  const { before } = totals
  const problems: [label: string, count: number, filter: LeadFilter, before?: string][] = [
    ['Email failed', deliveries.email.failed, { email_status: 'failed' }],
    ['CRM failed', deliveries.crm.failed, { crm_sync_status: 'failed' }],
    ['Late, no answer', late, { late: true }],
    ['Without a clinic', totals.now.unmatched, { unmatched: true }, `${number(before.unmatched)} in the previous week`],
    ['Held for review', totals.now.held, { held: true }, `${number(before.held)} in the previous week`],
  ]
  return (
    <>
      <Subtitle>Leads that need attention</Subtitle>
      <Facts
        of={problems.map(([label, count, filter, before]) => [
          label,
          <Linked key={label} href={count > 0 ? leadsUrl(env, { ...filter, ...daysIn(funnel) }) : null}>
            {`${number(count)}${before === undefined ? '' : ` (${before})`}`}
          </Linked>,
        ])}
      />
    </>
  )
}

function Linked({ href, children }: { href: string | null; children: ReactNode }) {
  return href === null ? children : <A href={href}>{children}</A>
}

function leadsUrl(env: Settings['env'], filter: LeadFilter): string {
  const query = new URLSearchParams({ tab: 'leads' })
  for (const [name, value] of Object.entries(filter)) query.set(name, String(value))
  return `${env.PUBLIC_URL}/admin?${query}`
}

/** Lists the clinics that need attention, as the overview does. */
function Attention({ funnel, env }: Context & Settings) {
  const { attention, totalAttention } = funnel
  const shown = attention.slice(0, MAX_CLINICS)
  const rest = totalAttention - shown.length
  return (
    <>
      <Subtitle>Clinics that need attention</Subtitle>
      {shown.length === 0 && <Paragraph>None: no clinic was late, silent or unreachable by email.</Paragraph>}
      {shown.length > 0 && (
        <Facts
          of={shown.map(({ providerId, name, reasons }) => [
            plain(name),
            <span key={providerId}>
              {reasons.map(reasonWords).join('; ')}.{' '}
              <A href={`${env.PUBLIC_URL}/admin?tab=providers&provider=${providerId}`}>Its record</A>
            </span>,
          ])}
        />
      )}
      {rest > 0 && <Paragraph>And {countOf(rest, 'more clinic')} in the overview.</Paragraph>}
    </>
  )
}

function reasonWords(reason: AttentionReason): string {
  switch (reason.kind) {
    case 'late':
      return countOf(reason.leads, 'late answer')
    case 'refused':
      return `${countOf(reason.leads, 'email')} refused`
    case 'silent':
      return `no answer to the last ${number(reason.leads)} requests`
    case 'declining':
      return `books ${percent.format(reason.share)} of its requests, ${percent.format(reason.before)} in the previous week`
  }
}

/** Shows the sources that brought the most booked leads. */
function Sources({ funnel: { groups } }: Context & Settings) {
  const best = groups.source
    .filter(({ stages }) => stages.received > 0)
    .toSorted((a, b) => b.stages.booked - a.stages.booked || b.stages.received - a.stages.received)
    .slice(0, MAX_SOURCES)
  if (best.length === 0) return null
  const row = ({ name, stages }: FunnelGroup): [string, ...string[]] => [
    name === null ? 'Direct' : plain(name),
    number(stages.received),
    number(stages.booked),
  ]
  return (
    <>
      <Subtitle>Best sources</Subtitle>
      <Figures columns={['Source', 'Leads', 'Booked']} rows={best.map(row)} />
    </>
  )
}

import { format } from 'date-fns/format'
import type { ReactNode } from 'react'
import { searchOf } from '../../core/conditions/condition.ts'
import { countOf, formatCount as number } from '../../core/contract/texts.ts'
import {
  type Figures as Counts,
  FUNNEL_STAGES,
  type FunnelStage,
  type Group,
  type Overview,
} from '../../core/insight/contract/overview.ts'
import type { Period } from '../../core/insight/rules/overview.ts'
import * as overviews from '../../core/insight/stores/overview.ts'
import type { LeadFilter } from '../../core/leads/contract/leads.ts'
import * as leadLists from '../../core/leads/stores/lead-lists.ts'
import { defineEmail, type Settings } from './email.ts'
import { ToTheTeam } from './layout.tsx'
import { A, Actions, Facts, Figures, Note, Subtitle } from './parts.tsx'
import { emptyWeek, week } from './sample-people.ts'
import { duration, plain } from './words.ts'

/*
 * The weekly report to the team. It contains no personal data of visitors. Parts of few are counts (`2 of 3`), because a
 * percentage of three says nothing.
 */

const STAGES: Record<FunnelStage, string> = {
  received: 'Received',
  delivered: 'Delivered',
  opened: 'Opened by the provider',
  reached: 'Reached',
  booked: 'Booked',
  attended: 'Attended',
}
const MAX_GROUPS = 5
const NONE = '–'

const part = (some: number, all: number) => `${number(some)} of ${number(all)}`

/** Formats a day without its year: `Nov 16`. The moment is local, so that no time zone shifts it. */
const day = (iso: string, pattern = 'MMM d') => format(`${iso}T00:00:00`, pattern)
const daysOf = ({ from, to }: Period) => `${day(from)} to ${day(to)}`

/** `late` counts the requests whose answer is late now. */
type Context = { overview: Overview; late: number }

export const weekly_report = defineEmail({
  ...{ about: 'report', purpose: 'weekly_report', to: 'team' },
  label: 'Weekly report to the team',
  async load({ row: { period: week } }, { db, env }) {
    const local = { ...week, timeZone: env.NETWORK_TIME_ZONE }
    const [overview, late] = [await overviews.read(db, local), await leadLists.count(db, { ...local, late: true })]
    return { overview, late }
  },
  draft(context: Context & Settings) {
    const { overview, env } = context
    const { received, booked } = overview.totals.now
    const overviewUrl = `${env.PUBLIC_URL}/admin${searchOf('overview', daysIn(overview))}`
    return {
      subject: `${daysOf(overview)}: ${countOf(received, 'lead')}, ${number(booked)} booked`,
      body: (
        <ToTheTeam
          preview="Outcomes of the week’s leads, and what needs attention."
          title={`The week from ${daysOf(overview)}, ${day(overview.to, 'yyyy')}`}
        >
          {overview.madeUp > 0 && (
            <Note>Demo data: {countOf(overview.madeUp, 'lead')} of these two weeks were created for the demo.</Note>
          )}
          <Stages {...context} />
          <Problems {...context} />
          <Best
            title="Best sources"
            columns={['Source', 'Leads', 'Booked']}
            groups={overview.groups.source}
            count={({ booked }) => booked}
            none="Direct"
          />
          <Best
            title="Late answers"
            columns={['Provider', 'Leads', 'Late']}
            groups={overview.groups.provider.filter(({ now }) => lateOf(now) > 0)}
            count={lateOf}
            none="Without a provider"
          />
          <Actions of={[['Open the overview of this week', overviewUrl]]} />
        </ToTheTeam>
      ),
    }
  },
  samples: {
    'weekly-report': ['To the team: the weekly report', week],
    'weekly-report-quiet': ['To the team: the report of a week without leads', emptyWeek],
  },
})

const daysIn = ({ from, to }: Period) => ({ from, to })

function Stages({ overview }: Context) {
  const { now, before } = overview.totals
  const inTime = ({ inTime: some, due }: Counts) => (due === 0 ? NONE : part(some, due))
  const median = (ms: number | null) => (ms === null ? NONE : duration(ms))
  return (
    <>
      <Figures
        columns={['Leads', daysOf(overview), daysOf(overview.before)]}
        rows={[
          ...FUNNEL_STAGES.map((stage): [string, string, string] => [
            STAGES[stage],
            number(now[stage]),
            number(before[stage]),
          ]),
          ['Answered in time', inTime(now), inTime(before)],
          ['Median time to answer', median(overview.answerTime.now), median(overview.answerTime.before)],
        ]}
      />
      <Note>
        Leads count for the week they came in, by current outcome. Newer leads have had less time than those of the week
        before.
      </Note>
    </>
  )
}

function Problems({ overview, late, env }: Context & Settings) {
  const { totals, deliveries } = overview
  const { now, before } = totals
  const dashboard = `${env.PUBLIC_URL}/admin`
  const problems: [label: string, count: number, filter: LeadFilter, before?: string][] = [
    ['Email failed', deliveries.email.failed, { email_status: 'failed' }],
    ['CRM failed', deliveries.crm.failed, { crm_sync_status: 'failed' }],
    ['Late, no answer', late, { late: true }],
    ['Without a provider', now.unmatched, { unmatched: true }, `${number(before.unmatched)} in the previous week`],
    ['Held for review', now.held, { held: true }, `${number(before.held)} in the previous week`],
  ]
  return (
    <>
      <Subtitle>Leads that need attention</Subtitle>
      <Facts
        of={problems.map(([label, count, filter, before]) => [
          label,
          <Linked
            key={label}
            href={count > 0 ? `${dashboard}${searchOf('leads', { ...filter, ...daysIn(overview) })}` : null}
          >
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

type BestProps = {
  title: string
  columns: string[]
  groups: Group[]
  /** What the groups are ranked by, besides their leads. */
  count: (counts: Counts) => number
  /** The name of the group without one. */
  none: string
}

function Best({ title, columns, groups, count, none }: BestProps) {
  const best = groups
    .filter(({ now }) => now.received > 0)
    .toSorted((a, b) => count(b.now) - count(a.now) || b.now.received - a.now.received)
    .slice(0, MAX_GROUPS)
  if (best.length === 0) return null
  const row = ({ name, now }: Group): [string, ...string[]] => [
    name === null ? none : plain(name),
    number(now.received),
    number(count(now)),
  ]
  return (
    <>
      <Subtitle>{title}</Subtitle>
      <Figures columns={columns} rows={best.map(row)} />
    </>
  )
}

const lateOf = ({ due, inTime }: Counts) => due - inTime

import type { FormFault, LeadPage, Vital } from '../core/contract/page-views.ts'
import { dayOf } from '../core/dates.ts'
import type { Transaction } from '../core/platform/db.ts'
import { bucketOf } from '../core/rules/web-vitals.ts'
import { DAY } from '../core/time.ts'

/** A made-up lead: when it came and from where. */
type MadeUp = { at: number; visit: { utm_source?: string; utm_campaign?: string; referrer?: string } }
type Random = () => number
type CountRow = { count: number }

const PAGES: { page: LeadPage; weight: number; starts: number; hasZipStep: boolean }[] = [
  { page: 'home', weight: 62, starts: 0.13, hasZipStep: false },
  { page: 'start', weight: 16, starts: 0.34, hasZipStep: true },
  { page: 'findProvider', weight: 14, starts: 0.27, hasZipStep: true },
  { page: 'microsite', weight: 8, starts: 0.16, hasZipStep: false },
]
/** `slow` multiplies the times of a phone. */
const DEVICES = [
  { device: 'phone', weight: 74, slow: 1 },
  { device: 'tablet', weight: 4, slow: 0.8 },
  { device: 'desktop', weight: 22, slow: 0.5 },
] as const
/** The share of visitors that a page can count. */
const COUNTED = 0.9
/** The share of those who start that sends the form. */
const SENT = 0.28
/** The shares of those who start whose form is refused. */
const REFUSED: Partial<Record<FormFault, number>> = {
  consent: 0.17,
  phone: 0.09,
  email: 0.06,
  zip_code: 0.05,
  server: 0.004,
}
/** Usual values on a phone, in milliseconds or as a score. */
const USUAL: Record<Vital, number> = { lcp: 1300, inp: 90, cls: 0.008, ttfb: 210 }

/**
 * Adds the counts of page views that led to made-up leads, to a database that has none. A count cannot say where it comes from,
 * so deleting finds them by their days: those before `firstRealDay`.
 */
export async function addDemoPageViews(
  trx: Transaction,
  { history, timeZone, random }: { history: MadeUp[]; timeZone: string; random: Random },
): Promise<void> {
  const last = history.at(-1)
  if (!last || (await trx('page_view_counts').first('day'))) return
  const end = firstRealDay(last.at)
  const events = new Map<string, CountRow>()
  const vitals = new Map<string, CountRow>()
  for (const { at, visit } of history) {
    const day = dayOf(new Date(at), timeZone)
    if (day >= end || random() > COUNTED) continue
    const { page, starts, hasZipStep } = pick(random, PAGES)
    const { device, slow } = pick(random, DEVICES)
    const source = visit.utm_source ?? visit.referrer?.split('/')[2]?.replace('www.', '') ?? ''
    const of = { day, source, campaign: visit.utm_campaign ?? '', page, device }
    const add = (event: string, count: number) => increase(events, { ...of, event }, count)

    const started = Math.max(1, Math.round((0.6 + 0.8 * random()) / SENT))
    add('submitted', 1)
    add('started', started)
    if (hasZipStep) add('zip_accepted', Math.max(1, Math.round(started * 0.8)))
    const seen = Math.round((started * (0.7 + 0.6 * random())) / starts)
    add('seen', Math.max(started, seen))
    for (const [fault, share] of Object.entries(REFUSED)) {
      const count = Array.from({ length: started }, random).filter((chance) => chance < share).length
      if (count > 0) add(fault, count)
    }
    for (let n = 0; n < seen; n += 2) {
      for (const [vital, usual] of Object.entries(USUAL) as [Vital, number][]) {
        // A long tail, as times have.
        const value = usual * slow * Math.exp(1.1 * (random() + random() + random() - 1.5))
        increase(vitals, { day, page, device, vital, bucket: bucketOf(vital, value) }, 1)
      }
    }
  }
  await put(trx, 'page_view_counts', [...events.values()])
  await put(trx, 'web_vital_counts', [...vitals.values()])
}

/** Inserts rows whose columns are those of the table. */
async function put(trx: Transaction, table: 'page_view_counts' | 'web_vital_counts', rows: CountRow[]): Promise<void> {
  await trx.raw('insert into :table: select * from jsonb_populate_recordset(cast(null as :table:), :rows)', {
    ...{ table, rows: JSON.stringify(rows) },
  })
}

/** Deletes what `addDemoPageViews` has added. Call it while the made-up leads are still there. */
export async function removeDemoPageViews(trx: Transaction, leadIds: number[]): Promise<void> {
  const newest = await trx('leads').whereIn('id', leadIds).orderBy('created_at', 'desc').first('created_at')
  if (!newest) return
  const end = firstRealDay(newest.created_at.getTime())
  for (const table of ['page_view_counts', 'web_vital_counts'] as const)
    await trx(table).where('day', '<', end).delete()
}

/**
 * Returns a day that no real visit was before, in any time zone: all of them came after the newest made-up lead.
 */
const firstRealDay = (newest: number) => dayOf(new Date(newest - DAY), 'UTC')

/** Adds to the row with these columns, or makes it. */
function increase(rows: Map<string, CountRow>, of: object, count: number): void {
  const key = JSON.stringify(of)
  rows.set(key, { ...of, count: (rows.get(key)?.count ?? 0) + count })
}

function pick<T extends { weight: number }>(random: Random, list: readonly T[]): T {
  let left = random() * list.reduce((sum, { weight }) => sum + weight, 0)
  const found = list.find(({ weight }) => {
    left -= weight
    return left < 0
  })
  return found ?? (list[0] as T)
}

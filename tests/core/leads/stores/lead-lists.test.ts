import { describe, expect, it } from 'vitest'
import { dayOf } from '../../../../core/dates.ts'
import { addDays } from '../../../../core/insight/rules/overview.ts'
import type { LeadSort } from '../../../../core/leads/contract/leads.ts'
import * as leadLists from '../../../../core/leads/stores/lead-lists.ts'
import * as leadOrigins from '../../../../core/leads/stores/leads.ts'
import { useDatabase } from '../../../support/database.ts'
import { createLead, createProvider, createStaff, jobsOf } from '../../../support/factories.ts'
import { leadListsOf, timeZone } from '../../../support/lead-lists.ts'

const database = useDatabase()
const { list, idsOf, matching, update } = leadListsOf(database)
const person = (form: Parameters<typeof createLead>[1] & {} = {}) => createLead(database.db, form)
const came = (last: Record<string, string>, first?: Record<string, string>) =>
  person({
    form: {
      attribution: { last: { landing_page: '/', ...last }, ...(first && { first: { landing_page: '/', ...first } }) },
    },
  })
const work = (lead_id: number, columns: Record<string, unknown>) =>
  database.db('lead_work').insert({ lead_id, ...columns })
const settleMail = (lead_id: number, columns: Record<string, unknown>) =>
  jobsOf(database.db, lead_id, { purpose: 'provider' }).update(columns)
const REFUSED = { state: 'failed', last_cause: 'unknown_mailbox', finished_at: new Date() }

it('a list says where the visitor lives and came from', async () => {
  const baltimore = await person({ form: { zip_code: '21201' } })
  await person({ form: { zip_code: '00000' } })
  await came({ utm_source: ' Google ', utm_campaign: 'Spring Sale' })
  await came({ referrer: 'https://www.bing.com/search' })
  await came({ fbclid: 'x' })

  const { leads } = await list({ sort: 'created_at' })
  expect(leads.map(({ place }) => place)).toEqual(['Baltimore, MD', null, ...Array(3).fill('Austin, TX')])
  expect(leads.map(({ source, campaign }) => [source, campaign])).toEqual([
    [null, null],
    [null, null],
    ['google', 'spring sale'],
    ['bing.com', null],
    ['facebook', null],
  ])
  expect(await leadOrigins.listValues(database.db)).toEqual({
    states: ['MD', 'TX'],
    sources: ['bing.com', 'facebook', 'google'],
    campaigns: ['spring sale'],
  })
  expect(baltimore).toBe(leads[0]?.id)
})

describe('a filter', () => {
  it('finds by state, source and campaign', async () => {
    const home = await person({ form: { zip_code: '21201' } })
    const google = await came({ utm_source: 'google', utm_campaign: 'Spring' })
    const bing = await came({ utm_source: 'bing' })

    expect(await matching({ state: 'MD' })).toEqual([home])
    expect(await matching({ state: 'TX' })).toEqual([google, bing])
    expect(await matching({ state: 'ZZ' })).toEqual([])
    expect(await matching({ source: 'google' })).toEqual([google])
    expect(await matching({ source: 'none' })).toEqual([home])
    expect(await matching({ campaign: 'spring' })).toEqual([google])
    expect(await matching({ campaign: 'none' })).toEqual([home, bing])
    expect(await matching({ state: 'TX', source: 'bing', unmatched: true })).toEqual([bing])
  })

  it('finds leads whose clinic did not get the email about them', async () => {
    const { id: providerId } = await createProvider(database.db)
    const [refused, again, retried, unmatched, fine] = [
      await person({ providerId }),
      await person({ providerId }),
      await person({ providerId }),
      await person({ providerId }),
      await person({ providerId }),
    ]
    for (const id of [refused, again, unmatched]) await settleMail(id, REFUSED)
    await settleMail(retried, { state: 'waiting', last_cause: 'mailbox_full', next_attempt_at: new Date() })
    await settleMail(fine, { state: 'done', finished_at: new Date() })
    await update(unmatched, { provider_id: null, matched_at: null, match_kind: null })
    // A retry is a new generation.
    await database.db.raw(
      `insert into jobs (subject_kind, subject_id, name, purpose, generation)
       select subject_kind, subject_id, name, purpose, 2 from jobs where subject_id = ? and purpose = 'provider'`,
      [again],
    )

    expect(await matching({ not_reached: true })).toEqual([refused])
    expect(await matching({ not_reached: false })).toEqual([again, retried, unmatched, fine])
    expect(await idsOf({ sort: 'clinic' })).toEqual([refused, retried, again, fine, unmatched])
    expect(await idsOf({ sort: '-clinic' })).toEqual([unmatched, fine, again, retried, refused])
  })

  it('finds by owner, by tag, and by a next action that is due today or before', async () => {
    const [ada, ben] = [await createStaff(database.db), await createStaff(database.db)]
    const [first, second, third, fourth] = [await person(), await person(), await person(), await person()]
    const day = (days: number) => addDays(dayOf(new Date(), timeZone), days)
    await work(first, { owner_id: ada.id, next_action_on: day(0), tags: ['vip'] })
    await work(second, { owner_id: ben.id, next_action_on: day(1) })
    await work(third, { next_action_on: day(-40) })
    await work(fourth, { tags: ['vip', 'spanish'] })

    expect(await matching({ owner: ada.id })).toEqual([first])
    expect(await matching({ owner: 'none' })).toEqual([third, fourth])
    expect(await matching({ tag: 'vip' })).toEqual([first, fourth])
    expect(await matching({ tag: 'vi' })).toEqual([])
    expect(await matching({ due: true })).toEqual([first, third])
    expect(await matching({ due: false })).toEqual([second, fourth])
    expect(await matching({ tag: 'vip', owner: 'none', due: false, unmatched: true })).toEqual([fourth])
    expect(await idsOf({ owner: ada.id, sort: 'source' })).toEqual([first])
  })

  it('has the totals that the counts say', async () => {
    const { id: providerId } = await createProvider(database.db)
    const [refused, late, held] = [
      await person({ providerId }),
      await person({ providerId }),
      await person({ providerId, heldReason: 'honeypot' }),
    ]
    const unmatched = await person()
    await settleMail(refused, REFUSED)
    await update(refused, { email_status: 'failed' })
    await update(unmatched, { crm_sync_status: 'failed' })
    await database
      .db('answer_clocks')
      .where('lead_id', late)
      .update({ due_at: database.db.raw(`now() - interval '1 hour'`) })

    const { id: owner_id } = await createStaff(database.db)
    await work(late, { next_action_on: '2020-01-01', owner_id })

    const { all, mine, ...counts } = await leadLists.countAttention(database.db, timeZone, owner_id)
    expect({ all, mine, ...counts }).toEqual({
      ...{ all: 4, mine: 1, failed: 2, unmatched: 1, held: 1, not_reached: 1, late: 1, due: 1 },
    })
    for (const [name, count] of Object.entries(counts)) {
      expect([name, (await matching({ [name]: true })).length]).toEqual([name, count])
    }
    expect(await matching({ held: true })).toEqual([held])
  })
})

describe('an order', () => {
  it.each(['provider', 'crm', 'clinic', 'outcome', 'source'] satisfies LeadSort[])(
    'is the same in both directions and on every page, without gap or overlap: %s',
    async (sort) => {
      const { id: providerId } = await createProvider(database.db)
      for (let n = 0; n < 5; n++) await person(n % 2 ? {} : { providerId })
      const whole = await idsOf({ sort })
      expect(whole).toHaveLength(5)
      expect(await idsOf({ sort: `-${sort}` })).toEqual(whole.toReversed())
      for (const filter of [{}, { state: 'TX' }]) {
        const pages = await Promise.all([1, 2, 3].map((page) => idsOf({ ...filter, page, limit: 2, sort })))
        expect(pages.flat()).toEqual(whole)
      }
    },
  )

  it('sorts by clinic, CRM, outcome and source', async () => {
    const [zoe, alva] = [
      await createProvider(database.db, { name: 'Dr. Zoë Adams' }),
      await createProvider(database.db, { name: 'dr. alva Young' }),
    ]
    const [first, second, third] = [
      await person({ providerId: zoe.id, form: { attribution: { last: { landing_page: '/', utm_source: 'b' } } } }),
      await person({ providerId: alva.id, form: { attribution: { last: { landing_page: '/', utm_source: 'a' } } } }),
      await person(),
    ]
    await update(first, { crm_sync_status: 'success', outcome: 'reached', outcome_at: new Date() })
    await update(second, { crm_sync_status: 'failed', outcome: 'booked', outcome_at: new Date() })

    expect(await idsOf({ sort: 'provider' })).toEqual([second, first, third])
    expect(await idsOf({ sort: 'crm' })).toEqual([second, third, first])
    expect(await idsOf({ sort: 'outcome' })).toEqual([third, first, second])
    expect(await idsOf({ sort: 'source' })).toEqual([second, first, third])
  })
})

describe('a search', () => {
  it('finds clinic, city and state, and all words together', async () => {
    const clinic = await createProvider(database.db, { name: 'Dr. Amara Hartmann', practice_name: "O'Fallon Urology" })
    const texan = await person({ form: { first_name: 'Ines', last_name: 'Marlow', zip_code: '78702' } })
    const ofClinic = await person({ providerId: clinic.id, form: { last_name: 'Serin', zip_code: '59401' } })
    const named = await person({ form: { last_name: 'Austin', zip_code: '21201' } })
    const missouri = await person({ form: { last_name: 'Vale', zip_code: '63101' } })

    for (const [q, ids] of [
      ['austin', [texan, named]],
      ['marlow austin', [texan]],
      ['austin baltimore', [named]],
      ['TX', [texan]],
      ['austin tx', [texan]],
      ['tx', []],
      ['great falls', [ofClinic]],
      ['Great Falls, MT', [ofClinic]],
      ['falls hart', [ofClinic]],
      ['hartmann', [ofClinic]],
      ["o'fallon", [ofClinic]],
      ['urolog serin', [ofClinic]],
      ['dr hartmann', [ofClinic]],
      ['hartmann baltimore', []],
      ['st. louis', [missouri]],
      ['m', [texan]],
      ['ma', [texan]],
      ['va', [missouri]],
    ] as const) {
      expect([q, await matching({ q })]).toEqual([q, ids])
    }
  })

  it('finds a lead by its number, alone with a number sign in front', async () => {
    const other = await person({ form: { phone: '(202) 555-0003' } })
    const id = await person({ form: { phone: '(202) 555-0007' } })
    expect(await matching({ q: `#${id}` })).toEqual([id])
    expect(await matching({ q: ` #${id} avery ` })).toEqual([id])
    expect(await matching({ q: `#${id} serin` })).toEqual([])
    expect(await matching({ q: String(id) })).toContain(id)
    expect(await matching({ q: '#999999999' })).toEqual([])
    expect(await matching({ q: '202' })).toEqual([other, id])
  })
})

it('a list sorts names by the last one, without case and accents, and zips by their digits', async () => {
  const named = (last_name: string, first_name: string, zip_code: string) =>
    createLead(database.db, { form: { first_name, last_name, zip_code } })
  const [vance, avila, adams, van, anna] = [
    await named('Vance', 'Al', '10001'),
    await named('Ávila', 'Zoë', '02108'),
    await named('adams', 'Bob', '90012'),
    await named('van Dyke', 'Zack', '10001'),
    await named('Adams', 'Anna', '60601'),
  ]
  expect(await idsOf({ sort: 'name' })).toEqual([anna, adams, avila, van, vance])
  expect(await idsOf({ sort: '-name' })).toEqual([vance, van, avila, adams, anna])
  expect(await idsOf({ sort: 'zip_code' })).toEqual([avila, vance, van, anna, adams])
  expect(await idsOf({ sort: 'name', q: 'adams' })).toEqual([anna, adams])
})

describe('a filter by the state of leads', () => {
  it('finds by the state of deliveries', async () => {
    const [crm, email, fine, open] = [
      await createLead(database.db),
      await createLead(database.db),
      await createLead(database.db),
      await createLead(database.db),
    ]
    await update(crm, { crm_sync_status: 'failed', email_status: 'success' })
    await update(email, { crm_sync_status: 'success', email_status: 'failed' })
    await update(fine, { crm_sync_status: 'success', email_status: 'success' })

    expect(await matching({ crm_sync_status: 'failed' })).toEqual([crm])
    expect(await matching({ crm_sync_status: 'success' })).toEqual([email, fine])
    expect(await matching({ email_status: 'failed' })).toEqual([email])
    expect(await matching({ email_status: 'pending' })).toEqual([open])
    expect(await matching({ failed: true })).toEqual([crm, email])
    expect(await matching({ failed: false })).toEqual([fine, open])
    expect(await matching({ failed: true, crm_sync_status: 'success' })).toEqual([email])
  })

  it('finds by provider, unmatched and held', async () => {
    const [one, two] = [(await createProvider(database.db)).id, (await createProvider(database.db)).id]
    const first = await createLead(database.db, { providerId: one })
    const second = await createLead(database.db, { providerId: two })
    const third = await createLead(database.db)
    const held = await createLead(database.db, { heldReason: 'honeypot', providerId: two })

    expect(await matching({ provider_id: one })).toEqual([first])
    expect(await matching({ unmatched: true })).toEqual([third])
    expect(await matching({ unmatched: false })).toEqual([first, second, held])
    expect(await matching({ held: true })).toEqual([held])
    expect(await matching({ held: false, provider_id: two })).toEqual([second])
    expect(await matching({ unmatched: true, provider_id: two })).toEqual([])
    expect(await matching({})).toEqual([first, second, third, held])
  })

  it('finds by the day of the network, the last one included', async () => {
    const at = async (created_at: string) => {
      const id = await createLead(database.db)
      await update(id, { created_at })
      return id
    }
    const first = await at('2026-03-01T00:00:00-05:00')
    const second = await at('2026-03-02T23:59:59.999-05:00')
    const third = await at('2026-03-03T00:00:00-05:00')
    await database.db.transaction(async (trx) => {
      // The zone of the session says nothing.
      await trx.raw(`set local time zone 'America/Los_Angeles'`)

      expect(await matching({ from: '2026-03-02', to: '2026-03-02' }, trx)).toEqual([second])
      expect(await matching({ from: '2026-03-02' }, trx)).toEqual([second, third])
      expect(await matching({ to: '2026-03-02' }, trx)).toEqual([first, second])
      expect(await matching({ from: '2026-03-04' }, trx)).toEqual([])
      expect(await matching({ from: '2026-03-03', to: '2026-03-01' }, trx)).toEqual([])
      expect(await matching({ from: '1970-01-01', to: '9999-12-31' }, trx)).toEqual([first, second, third])
    })
  })
})

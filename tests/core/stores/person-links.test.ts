import { afterEach, describe, expect, it } from 'vitest'
import { deleteLead } from '../../../core/commands/leads/delete-lead.ts'
import { linkPerson, unlinkPerson } from '../../../core/commands/leads/link-person.ts'
import { purgeLead } from '../../../core/commands/leads/purge-leads.ts'
import { restoreLead } from '../../../core/commands/leads/restore-lead.ts'
import { MAX_COUNTED_REQUESTS } from '../../../core/contract/leads.ts'
import * as leadLists from '../../../core/stores/lead-lists.ts'
import * as personLinks from '../../../core/stores/person-links.ts'
import { emptyDatabase, useDatabase } from '../../support/database.ts'
import { PERSON_KEY } from '../../support/env.ts'
import { createLead } from '../../support/factories.ts'

const database = useDatabase()
afterEach(() => emptyDatabase(database.db))

const ACTOR = { actor: 'staff' }
const link = (id: number, other: number) => linkPerson(database.db, id, other, ACTOR)
const others = async (id: number) => (await personLinks.listOthers(database.db, id)).map((other) => other.id)
const counts = async (...ids: number[]) => {
  const counted = await personLinks.count(
    database.db,
    ids.map((id) => ({ id })),
  )
  return counted.map(({ requests: { number, total } }) => `${number} of ${total}`)
}
const repeats = (repeat: boolean) =>
  leadLists.ids(database.db, { repeat, timeZone: 'America/New_York' }, MAX_COUNTED_REQUESTS)

describe('the requests of one person', () => {
  it('have the same e-mail or phone, over any number of steps', async () => {
    const byEmail = await createLead(database.db, { form: { email: 'Jordan@visitors.example', phone: '5125550101' } })
    const bridge = await createLead(database.db, { form: { email: 'jordan@visitors.example', phone: '5125550102' } })
    const held = {
      form: { email: 'avery@visitors.example', phone: '+1 (512) 555-0102' },
      heldReason: 'too_fast',
    } as const
    const byPhone = await createLead(database.db, held)
    const fromHeld = await createLead(database.db, { form: { email: 'AVERY@visitors.example', phone: '5125550103' } })
    const stranger = await createLead(database.db)

    expect(await others(fromHeld)).toEqual([byPhone, bridge, byEmail])
    expect(await counts(byEmail, bridge, byPhone, fromHeld, stranger)).toEqual([
      ...['1 of 4', '2 of 4', '3 of 4', '4 of 4'],
      '1 of 1',
    ])
  })

  it('are not those whose phone is no number, or whose mailbox has another tag', async () => {
    const phone = 'call me: 911'
    const first = await createLead(database.db, { form: { phone, email: 'jordan+a@visitors.example' } })
    await createLead(database.db, { form: { phone, email: 'jordan+b@visitors.example' } })
    expect(await others(first)).toEqual([])
  })

  it('are those that staff link, over several steps, until the link is undone', async () => {
    const [a, b, c] = [await createLead(database.db), await createLead(database.db), await createLead(database.db)]
    await link(b, a)
    await link(b, c)
    expect(await others(a)).toEqual([c, b])
    expect((await personLinks.listOthers(database.db, a)).map(({ linked }) => linked)).toEqual([false, true])
    expect(await counts(a, b, c)).toEqual(['1 of 3', '2 of 3', '3 of 3'])
    expect(await repeats(true)).toEqual([b, c])

    await unlinkPerson(database.db, a, b, ACTOR)
    expect([await others(a), await others(b)]).toEqual([[], [c]])
    expect(await repeats(false)).toEqual([a, b])
    expect(await database.db('person_links').orderBy('id').select('linked_by', 'unlinked_by')).toEqual([
      { linked_by: 'staff', unlinked_by: 'staff' },
      { linked_by: 'staff', unlinked_by: null },
    ])
    await link(a, b)
    expect(await others(a)).toEqual([c, b])
  })

  it('are counted up to a limit', async () => {
    const id = await createLead(database.db, { form: { phone: '5125550101' } })
    await database.db.raw(
      `insert into leads (first_name, last_name, email, phone, zip_code, request_hash, person_key, repeat_window)
       select 'A', 'B', i || '@visitors.example', '(512) 555-0101', '78702', '', gen_random_uuid(), 'empty'
       from generate_series(1, 300) i`,
    )
    const [counted] = await personLinks.count(database.db, [{ id }])
    expect(counted?.requests.total).toBe(MAX_COUNTED_REQUESTS)
    expect(await others(id)).toHaveLength(10)
  })
})

describe('a deleted lead', () => {
  it('takes its links along, and brings them back when it is restored', async () => {
    const [a, b, c] = [await createLead(database.db), await createLead(database.db), await createLead(database.db)]
    await link(a, b)
    await link(b, c)
    await deleteLead(database.db, b, ACTOR)
    expect(await others(a)).toEqual([])
    await restoreLead(database.db, b, ACTOR)
    expect(await others(a)).toEqual([c, b])

    await deleteLead(database.db, b, ACTOR)
    await purgeLead(database.db, b, { ...ACTOR, personKey: PERSON_KEY })
    expect(await database.db('person_links')).toEqual([])
  })
})

describe('the requests that can be linked', () => {
  const candidates = async (id: number, search?: string) => {
    const lead = { id, first_name: 'Zoë', last_name: 'Quill' }
    return (await leadLists.listLinkCandidates(database.db, lead, search)).map((candidate) => candidate.id)
  }

  it('have the same name, the number or the words that are searched for, and are not linked yet', async () => {
    const zoe = { first_name: 'Zoe', last_name: 'Quill' }
    const [id, same, known] = [
      await createLead(database.db, { form: { ...zoe, email: 'zoe@visitors.example' } }),
      await createLead(database.db, { form: zoe }),
      await createLead(database.db, { form: { ...zoe, email: 'zoe@visitors.example', phone: '5125550199' } }),
    ]
    const other = await createLead(database.db, { form: { email: 'rosa@visitors.example' } })
    expect(known).toBeGreaterThan(same)
    expect(await candidates(id)).toEqual([same])
    for (const search of [`#${other}`, 'rosa@visitors']) expect(await candidates(id, search), search).toEqual([other])
    expect(await candidates(id, `${other}`)).toContain(other)
    const areaCode = '512' // Every phone of these tests begins with it.
    expect(await candidates(id, `#${areaCode}`)).toEqual([])
    expect(await candidates(id, '#')).toEqual([])
    await link(id, same)
    expect(await candidates(id)).toEqual([])
  })
})

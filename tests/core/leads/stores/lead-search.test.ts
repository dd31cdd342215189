import { describe, expect, it } from 'vitest'
import { folded } from '../../../../core/contract/texts.ts'
import { phoneDigits } from '../../../../core/leads/rules/duplicates.ts'
import { only, queryRows } from '../../../../core/platform/db.ts'
import { useDatabase } from '../../../support/database.ts'
import { createLead } from '../../../support/factories.ts'
import { leadListsOf } from '../../../support/lead-lists.ts'

const database = useDatabase()
const { list, idsOf, matching, update } = leadListsOf(database)

describe('a search', () => {
  const person = (form: Record<string, string>) => createLead(database.db, { form })

  it('finds names by the starts of their words, in any order', async () => {
    const cruz = await person({ first_name: 'Mary Ann', last_name: 'de la Cruz' })
    const obrien = await person({ first_name: 'Zoë', last_name: "O'Brien-Smith" })
    const li = await person({ first_name: '明', last_name: 'Li' })
    const lind = await person({ first_name: 'Ivan', last_name: 'Lindgren' })

    for (const q of ['cruz', 'CRU', 'ann cruz', 'mary de la cruz']) expect(await matching({ q })).toEqual([cruz])
    for (const q of ['zoe', 'ZOË', 'obrien', "o'brien", 'O’Brien', 'smith', "o'brien-smith", 'brien-smi']) {
      expect([q, await matching({ q })]).toEqual([q, q === 'brien-smi' ? [] : [obrien]])
    }
    expect(await matching({ q: 'li' })).toEqual([li, lind])
    expect(await matching({ q: 'c' })).toEqual([cruz])
    expect(await matching({ q: 'lin' })).toEqual([lind])
    expect(await matching({ q: '明' })).toEqual([li])
    expect(await matching({ q: 'zoe cruz' })).toEqual([])
  })

  it('finds an email by its start, and a zip', async () => {
    const id = await person({ email: "Bob.O'Hara@visitors.example", zip_code: '02108' })
    await person({ email: 'alice@visitors.example' })
    for (const q of ['bob.', "bob.o'hara@", "BOB.O'HARA@visitors.example", '02108', '021']) {
      expect([q, await matching({ q })]).toEqual([q, [id]])
    }
    expect(await matching({ q: 'visitors.example' })).toEqual([])
  })

  it('finds a phone however it is stored and typed', async () => {
    const ids: number[] = []
    for (const phone of ['(512) 555-0142', '+1 512 555 0142', '512.555.0142']) ids.push(await person({ phone }))
    await person({ phone: '(512) 555-0199' })
    for (const q of ['5125550142', '(512) 555-0142', '1 512-555-0142', '555-0142', '0142', '512 555 01 42']) {
      expect([q, await matching({ q })]).toEqual([q, ids])
    }
    expect(await matching({ q: '512' })).toHaveLength(4)
    expect(await matching({ q: '142' })).toEqual([])
  })

  it('goes together with filters and pages, and knows the total past the end', async () => {
    const ids: number[] = []
    for (let n = 0; n < 3; n++) ids.push(await person({ last_name: 'Serin' }))
    await update(ids[1] ?? 0, { crm_sync_status: 'failed' })

    expect(await matching({ q: 'serin', failed: true })).toEqual([ids[1]])
    expect(await idsOf({ q: 'serin', limit: 2, page: 2 })).toEqual([ids[0]])
    expect(await list({ q: 'serin', limit: 2, page: 3 })).toEqual({ leads: [], total: 3 })
  })

  it.each([`'`, `\\`, `a\\`, `'a' | 'b'`, ':*', '<->', '!a', '%', '(', '＇', 'a & b', '-', '\u0301'])(
    'takes what has a meaning to the database for what it is: %s',
    async (q) => {
      await person({ last_name: 'Serin' })
      expect(await matching({ q })).toEqual([])
    },
  )

  it('is kept up to date when a name changes', async () => {
    const id = await person({ last_name: 'Serin' })
    await update(id, { last_name: 'Canary' })
    expect(await matching({ q: 'serin' })).toEqual([])
    expect(await matching({ q: 'canary' })).toEqual([id])
  })
})

const inDatabase = async <Value>(call: string, text: string) =>
  only(await queryRows<{ value: Value }>(database.db, `select ${call}(?) as value`, [text])).value

describe('the functions of the database', () => {
  it.each([
    ...[
      '(512) 555-0142',
      '512-555-0142 ext. 12',
      '512.555.0142;ext=5',
      '001 512 555 0142',
      '1-800-MEN-HELP',
      '555-0142',
    ],
    ...[
      '512 555 0142 / 512 555 0199',
      '512 555 0142 512 555 0199',
      '(305) 555-0131(305) 555-0132',
      '+44 (0)20 7946 0958',
    ],
    ...[
      '(512) 555-0142 ext. 7 / 512.555.0199',
      '512-555-0142, 512-555-0143',
      '5125550142,,7',
      '1-512-555-0142 #12',
      '0044 20 7946 0958',
      '011 44 20 7946 0958',
      '５１２－５５５－０１４２',
      '٥١٢ ٥٥٥ ٠١٤٢',
      '\u202a+1 512 555 0142\u202c',
      '',
    ],
    ...[
      '512–555–0142',
      '512•555•0142',
      '(+1) 512 555 0142',
      '5125550142\n5125550143',
      '12345678901234567890',
      'none',
      '+',
    ],
  ])('read the numbers of %j as the code does', async (phone) => {
    expect(await inDatabase('phone_digits', phone)).toEqual(phoneDigits(phone))
    expect(await inDatabase('national_digits', phone)).toBe(phoneDigits(phone)[0] ?? '')
  })

  it.each([
    ['Łukasz Sørensen', 'lukasz sorensen'],
    ['Großmann GROẞMANN', 'grossmann grossmann'],
    ['Ægir Œuvre', 'aegir oeuvre'],
    ['Işık İnan', 'isik inan'],
    ['Đorđe Ðóra Þór', 'dorde dora thor'],
    ['Ħamrun Ŧ Ŋ Əliyev', 'hamrun t n eliyev'],
    ['Kaʻiulani Zoë Ǿ ŉ', "ka'iulani zoe o 'n"],
    ['李明华', '李明华'],
    ['plain', 'plain'],
  ])('fold %j as the code does', async (name, plain) => {
    expect([folded(name), await inDatabase('folded', name)]).toEqual([plain, plain])
  })
})

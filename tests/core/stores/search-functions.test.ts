import { describe, expect, it } from 'vitest'
import { folded } from '../../../core/contract/folding.ts'
import { only, queryRows } from '../../../core/platform/db.ts'
import { phoneDigits } from '../../../core/rules/phone-numbers.ts'
import { useDatabase } from '../../support/database.ts'

const database = useDatabase()
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

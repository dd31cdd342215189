import { findPhoneNumbersInText } from 'libphonenumber-js/min'
import { describe, expect, it } from 'vitest'
import { dialable, formatPhone, phoneNumbers } from '../../../core/contract/texts.ts'

const ONE = ['+15125550142']

/** Texts as people and WordPress have them, and the numbers in them. */
const TEXTS: [text: string, numbers: string[]][] = [
  ['(512) 555-0142', ONE],
  ['512.555.0142', ONE],
  ['512/555-0142', ONE],
  ['512–555–0142', ONE],
  ['1 (512) 555-0142', ONE],
  ['+1 512 555 0142', ONE],
  ['(+1) 512 555 0142', ONE],
  ['5 1 2 5 5 5 0 1 4 2', ONE],
  ['tel:+1-512-555-0142', ONE],
  ['call 512-555-0142 after 5pm', ONE],
  ['(512) 555-0142 ext. 12', ONE],
  ['(512) 555-0142 x7', ONE],
  ['512-555-0142 extension 100', ONE],
  ['1-512-555-0142 #12', ONE],
  ['512.555.0142;ext=5', ONE],
  ['5125550142,,7', ONE],
  ['512-555-0142 12', ONE],
  ['５１２－５５５－０１４２', ONE],
  ['٥١٢ ٥٥٥ ٠١٤٢', ONE],
  ['۵۱۲۵۵۵۰۱۴۲', ONE],
  ['\u202a+1 512 555 0142\u202c', ONE],
  ['(512) 555-0142 ext. 7 / 512.555.0199', ['+15125550142', '+15125550199']],
  ['(305) 555-0131 / (305) 555-0132', ['+13055550131', '+13055550132']],
  ['(305) 555-0131(305) 555-0132', ['+13055550131', '+13055550132']],
  ['5125550142\n5125550143', ['+15125550142', '+15125550143']],
  ['+15125550142+15125550143', ['+15125550142', '+15125550143']],
  ['Cell: 512-555-0142 or home: 512-555-0143', ['+15125550142', '+15125550143']],
  ['+44 20 7946 0958', ['+442079460958']],
  ['+44 (0)20 7946 0958', ['+442079460958']],
  ['011 44 20 7946 0958', ['+442079460958']],
  [' +972 50 555 0117', ['+972505550117']],
  ['1-800-MEN-HELP', []],
  ['(123) 456-7890', []],
  ['(512) 055-0142', []],
  ['555-0142', []],
  ['911', []],
  ['12345678901234567890', []],
  ['+', []],
  ['none', []],
  ['', []],
]

/** Texts that libphonenumber-js does not read. */
const OURS: typeof TEXTS = [
  ['512-555-0142, 512-555-0143', ['+15125550142', '+15125550143']],
  ['001 512 555 0142', ONE],
  ['0044 20 7946 0958', ['+442079460958']],
  ['512 555 0142 512 555 0199', ['+15125550142', '+15125550199']],
]

describe('phone numbers', () => {
  it.each([...TEXTS, ...OURS])('%j has %j, and the first is dialed', (text, numbers) => {
    expect(phoneNumbers(text)).toEqual(numbers)
    expect(dialable(text)).toBe(numbers[0] ?? null)
  })

  it.each(TEXTS)('%j is read as libphonenumber-js reads it', (text, numbers) => {
    const theirs = findPhoneNumbersInText(text.normalize('NFKC'), 'US').map(({ number }) => number.number)
    expect(numbers).toEqual(theirs)
  })

  it('are shown as Americans write them, and other texts as they are', () => {
    expect(formatPhone('1.512.555.0142')).toBe('(512) 555-0142')
    expect(formatPhone('512-555-0142 x7')).toBe('512-555-0142 x7')
  })
})

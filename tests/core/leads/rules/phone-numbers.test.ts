import { expect, it } from 'vitest'
import { nationalDigits, phoneDigits } from '../../../../core/leads/rules/duplicates.ts'

it.each([
  ['(512) 555-0142', ['5125550142']],
  ['+1 512 555 0142', ['5125550142']],
  ['512-555-0142 ext. 12', ['5125550142', '512555014212']],
  ['001 512 555 0142', ['5125550142', '0015125550142']],
  ['512 555 0142 / 512 555 0199', ['5125550142', '5125550199', '51255501425125550199']],
  ['+44 20 7946 0958', ['442079460958']],
  ['555-0142', ['5550142']],
  ['call me', []],
  ['[512] 555-0142 ext. 5', ['51255501425', '5125550142']],
  [`${'.'.repeat(250)}[512] 555-0142 ext. 5`, ['51255501425']],
])(
  'the digits of a phone field %j has %j: each number, and all digits, which earlier versions compared',
  (phone, digits) => {
    expect(phoneDigits(phone)).toEqual(digits)
    expect(nationalDigits(phone)).toBe(digits[0] ?? '')
  },
)

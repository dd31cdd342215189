import { expect, it } from 'vitest'
import { DATA_KINDS, USUAL_TIMES, withTimes } from '../../../../core/privacy/contract/data-map.ts'

it('names what, from where, what for, who and how long for each kind of data', () => {
  for (const { what, from, why, who, kept } of DATA_KINDS) {
    for (const text of [what, from, why, who, kept]) expect(text, what).toMatch(/\w{3}/)
    expect(withTimes(kept, USUAL_TIMES)).not.toMatch(/[{}]/)
  }
})

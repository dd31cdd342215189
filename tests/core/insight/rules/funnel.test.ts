import { describe, expect, it } from 'vitest'
import { attentionReasons, type ClinicFacts } from '../../../../core/insight/rules/overview.ts'

const fine: ClinicFacts = {
  ...{ late: 0, refused: 0, isSilent: false, received: 20, booked: 10, receivedBefore: 20, bookedBefore: 10 },
}

describe('a clinic', () => {
  it('that answers and books as before needs no attention', () => {
    expect(attentionReasons(fine)).toEqual([])
    expect(attentionReasons({ ...fine, booked: 7 })).toEqual([])
  })

  it('needs attention when its booked share declines, which a few leads do not show', () => {
    expect(attentionReasons({ ...fine, booked: 6 })).toEqual([{ kind: 'declining', share: 0.3, before: 0.5 }])
    expect(attentionReasons({ ...fine, received: 10, booked: 0, receivedBefore: 10 })).toHaveLength(1)
    expect(attentionReasons({ ...fine, received: 9, booked: 0 })).toEqual([])
    expect(attentionReasons({ ...fine, receivedBefore: 9, booked: 0 })).toEqual([])
    expect(attentionReasons({ ...fine, booked: 0, bookedBefore: 0 })).toEqual([])
  })

  it('has refused e-mails first, which explain the rest', () => {
    const kinds = attentionReasons({ ...fine, late: 2, refused: 1, isSilent: true }).map(({ kind }) => kind)
    expect(kinds).toEqual(['refused', 'silent', 'late'])
  })
})

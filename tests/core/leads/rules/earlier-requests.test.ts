import { describe, expect, it } from 'vitest'
import { decideRepeat, type EarlierRequest } from '../../../../core/leads/rules/duplicates.ts'

const earlier = (id: number, parts: Partial<EarlierRequest> = {}): EarlierRequest => ({
  ...{ id, providerId: 1, isDeclined: false, isSameEmail: true },
  ...parts,
})

describe('the next request of a person', () => {
  it('goes to the clinic of the newest one', () => {
    expect(decideRepeat([earlier(9, { providerId: 2 }), earlier(8)])).toEqual({
      repeatOf: 9,
      again: { providerId: 2, leadId: 9 },
      except: [],
    })
  })

  it('is a first one without any', () => {
    expect(decideRepeat([])).toEqual({ repeatOf: null, again: null, except: [] })
  })

  it.each([
    ['when no clinic got the earlier one in time', { providerId: null }],
    ['when only the phone is the same', { isSameEmail: false }],
  ])('is matched like a first one %s, and still names it', (_, parts) => {
    expect(decideRepeat([earlier(9, parts)])).toEqual({ repeatOf: 9, again: null, except: [] })
  })

  it('goes to no clinic that has declined one, whatever it had before', () => {
    const before = [earlier(9, { isDeclined: true }), earlier(8), earlier(7, { providerId: 2 })]
    expect(decideRepeat(before)).toEqual({ repeatOf: 7, again: { providerId: 2, leadId: 7 }, except: [1] })
    expect(decideRepeat(before.slice(0, 2))).toEqual({ repeatOf: 9, again: null, except: [1] })
  })
})

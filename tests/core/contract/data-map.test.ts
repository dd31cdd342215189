import { expect, it } from 'vitest'
import { DATA_KINDS, USUAL_TIMES, withTimes } from '../../../core/contract/data-map.ts'

it('says times as people do', () => {
  const times = { ...USUAL_TIMES, leads: 90, consents: null, applications: 366 }
  expect(withTimes('{leads}; {consents}; {applications}; {consentDetails}; {deletedLeads}; [City] {x}', times)).toBe(
    '90 days; an unlimited time; one year; one year; 30 days; [City] {x}',
  )
  expect(withTimes('{leads} and {consents}', USUAL_TIMES)).toBe('two years and five years')
})

it('names what, from where, what for, who and how long for each kind of data', () => {
  for (const { what, from, why, who, kept } of DATA_KINDS) {
    for (const text of [what, from, why, who, kept]) expect(text, what).toMatch(/\w{3}/)
    expect(withTimes(kept, USUAL_TIMES)).not.toMatch(/[{}]/)
  }
})

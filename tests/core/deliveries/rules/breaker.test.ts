import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../../../core/contract/time.ts'
import { FailureCause } from '../../../../core/deliveries/contract/jobs.ts'
import {
  causesOf,
  MIN_FAULTS,
  MIN_STREAK,
  pauseAfter,
  shouldOpen,
  signOf,
} from '../../../../core/deliveries/rules/failures.ts'

describe('what an attempt says about its integration', () => {
  it('is that it lives, after a success and after a refusal of this one delivery', () => {
    expect(signOf('crm', null)).toBe('alive')
    expect(signOf('crm', 'refused')).toBe('alive')
    expect(signOf('mail', 'unknown_mailbox')).toBe('alive')
    expect(signOf('mail', 'mailbox_full')).toBe('alive')
  })

  it('is a fault, where every delivery would fail', () => {
    for (const cause of ['credentials', 'unreachable', 'server_error'] as const) {
      expect([signOf('crm', cause), signOf('mail', cause)]).toEqual(['fault', 'fault'])
    }
    expect([signOf('crm', 'wrong_address'), signOf('crm', 'unknown_property')]).toEqual(['fault', 'fault'])
    expect(signOf('mail', 'blocked')).toBe('fault')
  })

  it('is nothing, where it was busy or the fault is ours', () => {
    for (const cause of ['busy', 'our_side', 'no_provider', 'bad_address'] as const) {
      expect([signOf('crm', cause), signOf('mail', cause)]).toEqual(['none', 'none'])
    }
  })

  it('is known for each cause', () => {
    for (const integration of ['crm', 'mail'] as const) {
      const all = (['alive', 'fault', 'none'] as const).flatMap((sign) => causesOf(integration, sign))
      expect(all.toSorted()).toEqual(FailureCause.options.toSorted())
    }
  })
})

describe('the breaker', () => {
  it('opens after many faults over some minutes, and not for fewer or in less time', () => {
    expect(MIN_STREAK).toBe(5 * MINUTE)
    expect(shouldOpen({ faults: MIN_FAULTS, lasts: MIN_STREAK })).toBe(true)
    expect(shouldOpen({ faults: MIN_FAULTS - 1, lasts: 60 * MINUTE })).toBe(false)
    expect(shouldOpen({ faults: 500, lasts: MIN_STREAK - 1 })).toBe(false)
  })

  it('stays open for longer after each refused probe, up to 15 minutes', () => {
    expect([1, 2, 3, 4, 5, 6, 100].map((trips) => pauseAfter(trips) / MINUTE)).toEqual([1, 2, 5, 10, 15, 15, 15])
  })
})

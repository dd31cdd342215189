import { describe, expect, it } from 'vitest'
import { SettingsError } from '../../core/settings/read-settings.ts'
import { createCrmSender } from '../../worker/senders/crm.ts'
import { outcomesOf, StageMapping } from '../../worker/senders/hubspot-outcomes.ts'
import { testEnv } from '../support/env.ts'
import { HUBSPOT_TOKEN } from '../support/hubspot-server.ts'

const stages = StageMapping.parse('opportunity=booked, salesqualifiedlead = booked,customer=treated,1234567=declined')
const at = (minute: number) => `2026-11-24T12:${String(minute).padStart(2, '0')}:00.000Z`
const version = (value: string, minute: number) => ({ value, timestamp: at(minute) })
const noon = new Date(at(0))

describe('the outcomes of a history', () => {
  it('are those of the known stages, the oldest first, each with the time of HubSpot', () => {
    const history = [
      version('customer', 30),
      version('opportunity', 20),
      version('lead', 10),
      version('subscriber', 5),
      version('1234567', 1),
    ]
    expect(outcomesOf(history, stages, noon)).toEqual([
      { stage: '1234567', kind: 'declined', happenedAt: at(1) },
      { stage: 'opportunity', kind: 'booked', happenedAt: at(20) },
      { stage: 'customer', kind: 'treated', happenedAt: at(30) },
    ])
  })

  it('of one millisecond are in the order of HubSpot, which lists the newest first', () => {
    const history = [version('customer', 1), version('opportunity', 1)]
    expect(outcomesOf(history, stages, noon).map(({ kind }) => kind)).toEqual(['booked', 'treated'])
  })

  it('leave out a stage with the same outcome as the one before it, but not one after another stage', () => {
    const history = [version('salesqualifiedlead', 1), version('opportunity', 2), version('lead', 3)]
    const again = [...history, version('opportunity', 4)]
    expect(outcomesOf(history, stages, noon).map(({ happenedAt }) => happenedAt)).toEqual([at(1)])
    expect(outcomesOf(again, stages, noon).map(({ happenedAt }) => happenedAt)).toEqual([at(1), at(4)])
  })

  it('begin with the given time, and know the stage before it', () => {
    const history = [version('opportunity', 1), version('salesqualifiedlead', 2), version('customer', 3)]
    expect(outcomesOf(history, stages, new Date(at(2)))).toEqual([
      { stage: 'customer', kind: 'treated', happenedAt: at(3) },
    ])
    expect(outcomesOf(history, stages, new Date(at(1)))).toHaveLength(2)
  })

  it('are none without a history, and none for a stage that was emptied', () => {
    expect(outcomesOf([], stages, noon)).toEqual([])
    expect(outcomesOf([version('', 1)], stages, noon)).toEqual([])
  })
})

describe('the settings', () => {
  const start = (settings: Record<string, string>) => {
    const sender = createCrmSender(testEnv({ CRM_KIND: 'hubspot', HUBSPOT_TOKEN, ...settings }))
    sender?.close?.()
    return sender?.outcomes?.source
  }
  const problemOf = (settings: Record<string, string>) => {
    try {
      start(settings)
    } catch (error) {
      if (error instanceof SettingsError) return error.message
      throw error
    }
    throw new Error('They were taken.')
  }

  it('are off by default, also with stages', () => {
    expect(start({})).toBeUndefined()
    expect(start({ HUBSPOT_STAGES: 'customer=treated' })).toBeUndefined()
  })

  it('take stages of any name', () => {
    const HUBSPOT_STAGES = 'Contract sent=booked,7d6c-41=attended,closedlost=declined'
    expect(start({ HUBSPOT_OUTCOMES: 'lifecycle', HUBSPOT_STAGES })).toBe('hubspot-lifecycle')
    expect(start({ HUBSPOT_OUTCOMES: 'deals', HUBSPOT_STAGES })).toBe('hubspot-deals')
  })

  it.each([
    ['an unknown outcome', 'customer=happy'],
    ['an opt-out, which is a command and not a stage', 'customer=opted_out'],
    ['an opening, which only the clinic does', 'lead=opened'],
    ['no outcome', 'customer'],
    ['no stage', '=treated'],
    ['two outcomes', 'customer=treated=booked'],
    ['a stage twice', 'customer=treated,customer=booked'],
    ['a comma too much', 'customer=treated,'],
  ])('refuse %s', (_, HUBSPOT_STAGES) => {
    const problem = problemOf({ HUBSPOT_OUTCOMES: 'lifecycle', HUBSPOT_STAGES })
    expect(problem).toContain('HUBSPOT_STAGES must be like opportunity=booked,customer=treated')
    expect(problem).toContain('reached, no_answer, wrong_number, booked, attended, no_show, treated, declined')
  })

  it('refuse what would never read anything, beside every other problem', () => {
    const problem = problemOf({ HUBSPOT_OUTCOMES: 'deals', HUBSPOT_RATE: 'fast' })
    expect(problem).toContain('HUBSPOT_STAGES is required with HUBSPOT_OUTCOMES=deals')
    expect(problem).toContain('HUBSPOT_RATE')
    expect(problemOf({ HUBSPOT_OUTCOMES: 'tickets' })).toContain('HUBSPOT_OUTCOMES')
  })
})

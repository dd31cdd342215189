import { describe, expect, it } from 'vitest'
import { merge, readAnnouncement, within } from '../../../../core/deliveries/stores/changes.ts'

describe('merge', () => {
  it('names each id once, by its kind', () => {
    expect(merge({ leads: [1, 2], jobs: [1] }, { leads: [2, 3], syncs: [9] })).toEqual({
      leads: [1, 2, 3],
      jobs: [1],
      syncs: [9],
    })
    expect(merge({}, {})).toEqual({})
  })

  it('keeps that there were many', () => {
    expect(merge({ all: true }, { leads: [1] })).toEqual({ all: true })
    expect(merge({ leads: [1] }, { all: true })).toEqual({ all: true })
  })
})

it('within counts the ids of every kind together', () => {
  expect(within(3, { leads: [1, 2], jobs: [1] })).toEqual({ leads: [1, 2], jobs: [1] })
  expect(within(2, { leads: [1, 2], jobs: [1] })).toEqual({ all: true })
})

it('readAnnouncement reads what was announced, and takes anything else for a reason to read everything', () => {
  expect(readAnnouncement('{"leads":[1],"all":true}')).toEqual({ leads: [1], all: true })
  for (const payload of ['', 'nonsense', '{"leads":"1"}', '[1]'])
    expect(readAnnouncement(payload)).toEqual({ all: true })
})

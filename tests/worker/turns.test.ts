import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTurns } from '../../worker/turns.ts'

it('runs what must be alone after all that was begun, before all that comes later, and goes on after its failure', async () => {
  const turns = createTurns()
  const events: string[] = []
  const work = (name: string) => async () => {
    events.push(`${name} begins`)
    await sleep(20)
    events.push(`${name} ends`)
  }
  const beside = (name: string) =>
    turns.together(async () => {
      const end = work(name)()
      return { value: end, ends: [end] }
    })

  const first = beside('first')
  const alone = turns.alone(work('alone'))
  const failing = turns.alone(() => Promise.reject(new Error('no')))
  const last = Promise.all([beside('second'), beside('third')])
  await expect(failing).rejects.toThrow('no')
  await Promise.all([first, alone, last])
  await sleep(50)
  expect(events.slice(0, 4)).toEqual(['first begins', 'first ends', 'alone begins', 'alone ends'])
  expect(events.slice(4, 6)).toEqual(['second begins', 'third begins'])
})

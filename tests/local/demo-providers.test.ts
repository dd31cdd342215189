import { expect, test } from 'vitest'
import { addDemoProviders, demoProviders } from '../../local/demo-providers.ts'
import { useDatabase } from '../support/database.ts'

const database = useDatabase({ isKept: true })

test('the demo providers are added once, each with a place, to a database without providers', async () => {
  const { db } = database
  expect(await addDemoProviders(db)).toBe(demoProviders().length)
  expect(await addDemoProviders(db)).toBe(0)
  expect(await db('providers').whereNull('location')).toEqual([])
})

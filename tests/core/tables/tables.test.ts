import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { describeTables } from '../../../ops/tables.ts'
import { useDatabase } from '../../support/database.ts'

const database = useDatabase()

it('core/tables/tables.ts has the types of the migrated database: run `npm run tables` after a migration', async () => {
  const types = await readFile(new URL('../../../core/tables/tables.ts', import.meta.url), 'utf8')
  expect(await describeTables(database.db)).toBe(types)
})

import { describe, expect, it } from 'vitest'
import { readAll } from '../../../core/tables/table.ts'
import { useDatabase } from '../../support/database.ts'
import { createProvider } from '../../support/factories.ts'

const database = useDatabase()

type Row = { n: number }
const numbers = (count: number) =>
  readAll<Row>(database.db, (trx) => trx.select('n').from(trx.raw('generate_series(1, ?::integer) n', [count])))
const connectionsInUse = () => database.db.client.pool.numUsed()

describe('readAll', () => {
  it.each([0, 1, 500, 501, 1000, 1234])('gives each of %d rows once, in order', async (count) => {
    const seen: number[] = []
    for await (const { n } of numbers(count)) seen.push(n)
    expect(seen).toEqual(Array.from({ length: count }, (_, index) => index + 1))
    expect(connectionsInUse()).toBe(0)
  })

  it('reads rows as they are asked for, and gives the connection back when nobody asks for more', async () => {
    // This row would fail, if it were read.
    const rows = readAll<Row>(database.db, (trx) =>
      trx.select(trx.raw('1 / (5000 - n) as n')).from(trx.raw('generate_series(1, 10000) n')),
    )
    for (let n = 0; n < 1000; n++) await rows.next()
    expect(connectionsInUse()).toBe(1)

    await rows.return(undefined)
    expect(connectionsInUse()).toBe(0)
  })

  it('fails with the query, and gives the connection back', async () => {
    const reading = (async () => {
      for await (const _ of readAll(database.db, (trx) => trx.select('nothing').from('providers')));
    })()
    await expect(reading).rejects.toThrow(/nothing/)
    expect(connectionsInUse()).toBe(0)
  })

  it('gives rows as they were when the first was asked for', async () => {
    await createProvider(database.db, { name: 'Before' })
    await database.db.raw(
      `insert into providers (name, zip_code, email) select 'Before', '78701', 'x' from generate_series(1, 999)`,
    )
    const names = new Set<string>()
    for await (const { name } of readAll<{ name: string }>(database.db, (trx) => trx('providers').select('name'))) {
      if (names.size === 0) await database.db('providers').update({ name: 'After' })
      names.add(name)
    }
    expect([...names]).toEqual(['Before'])
  })
})

// `npm run seed:demo`: demo providers and two months of made-up leads, into a database that has none. `-- --delete` deletes
// the made-up leads. Works on DATABASE_URL, or without it on the database of `npm start` while that runs.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readSetting } from '../core/env.ts'
import { openDbToPrepare } from '../core/migrate.ts'
import { addDemoHistory, removeDemoHistory } from './demo-history.ts'
import { addDemoProviders } from './demo-providers.ts'
import { readIfExists } from './files.ts'
import { DATABASE_ADDRESS } from './launch.ts'

const { DATABASE_URL, DATA_DIR, NODE_ENV } = process.env
const url = DATABASE_URL || readIfExists(join(resolve(DATA_DIR || '.data'), DATABASE_ADDRESS))
if (NODE_ENV === 'production') fail('Demo data does not belong into production.')
if (!url) fail('Set DATABASE_URL to the database that is to have demo data, or run npm start first.')

const { values } = parseArgs({ options: { delete: { type: 'boolean', default: false } } })
const db = openDbToPrepare(url, { poolSize: 1, name: 'leadwell-seed' })
try {
  if (values.delete) {
    console.log(`${await removeDemoHistory(db)} made-up leads deleted, with their deliveries and outcomes.`)
  } else {
    const providers = await addDemoProviders(db)
    console.log(providers ? `${providers} demo providers added.` : 'No providers added: the database has some already.')
    const leads = providers ? await addDemoHistory(db, { timeZone: readSetting('NETWORK_TIME_ZONE') }) : 0
    console.log(leads ? `${leads} made-up leads added.` : 'No leads added: they go only to new demo providers.')
  }
} catch (error) {
  console.error(`The demo data could not be changed: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  await db.destroy()
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

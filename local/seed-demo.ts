// `npm run seed:demo`: demo providers for the database of DATABASE_URL, when it has no providers yet.
import { openDb } from '../core/platform/db.ts'
import { addDemoProviders } from './demo-providers.ts'

const { DATABASE_URL } = process.env
if (!DATABASE_URL) {
  console.error('Set DATABASE_URL to the database that is to have demo providers.')
  process.exit(1)
}

const db = openDb(DATABASE_URL, { poolSize: 1, name: 'leadwell-seed' })
try {
  const added = await addDemoProviders(db)
  console.log(added ? `${added} demo providers added.` : 'Nothing added: the database has providers already.')
} catch (error) {
  console.error(`The demo providers could not be added: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  await db.destroy()
}

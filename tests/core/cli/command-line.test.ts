import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asTyped } from '../../../core/cli/command-line.ts'

const built = (path: string) => join(process.cwd(), 'dist', path)

it('says how a command is called where only what was built is there', () => {
  const usage = '  npm run jobs -- list\n  npm run jobs -- show <id>'
  expect(asTyped(usage, join(process.cwd(), 'core/cli/jobs.ts'))).toBe(usage)
  expect(asTyped(usage, built('core/cli/jobs.js'))).toBe(
    '  node dist/core/cli/jobs.js list\n  node dist/core/cli/jobs.js show <id>',
  )
})

it('keeps the columns of a usage whose first line has no arguments', () => {
  const usage = '  npm run sync                syncs\n  npm run sync -- --dry-run   says\n'
  expect(asTyped(usage, built('worker/sync/main.js'))).toBe(
    '  node dist/worker/sync/main.js             syncs\n  node dist/worker/sync/main.js --dry-run   says\n',
  )
})

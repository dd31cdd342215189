import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asTyped } from '../../../core/cli/command-line.ts'

const built = (path: string) => join(process.cwd(), 'dist', path)

it('says how a command is called where only what was built is there', () => {
  const usage = '  npm run staff -- list\n  npm run staff -- disable <email>'
  expect(asTyped(usage, join(process.cwd(), 'core/cli/staff.ts'))).toBe(usage)
  expect(asTyped(usage, built('core/cli/staff.js'))).toBe(
    '  node dist/core/cli/staff.js list\n  node dist/core/cli/staff.js disable <email>',
  )
})

it('keeps the columns of a usage whose first line has no arguments', () => {
  const usage = '  npm run migrate                migrates\n  npm run migrate -- --dry-run   says\n'
  expect(asTyped(usage, built('core/migrate.js'))).toBe(
    '  node dist/core/migrate.js             migrates\n  node dist/core/migrate.js --dry-run   says\n',
  )
})

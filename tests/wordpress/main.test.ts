import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { whatIsMissing } from './real-site.ts'

const isHere = whatIsMissing().length === 0
const ifHere = isHere ? '' : ' (NOT RUN: WordPress, PHP or MariaDB is not installed)'

/** Runs the check with other programs in front of those of this machine, or without these. */
function run(programs: Record<string, string>, { path = `:${process.env.PATH}` } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'leadwell-programs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }
  const main = new URL('main.ts', import.meta.url).pathname
  const env = { ...process.env, PATH: `${folder}${path}` }
  return spawnSync(process.execPath, ['--import', 'tsx', main], { env, encoding: 'utf8' })
}

describe('npm run test:wordpress', () => {
  it('says what is not installed, which is no failure', () => {
    const { status, stdout } = run({}, { path: '' })
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^The sync was NOT RUN against a real WordPress: php, .*not installed\.\n$/),
    })
  })

  it.skipIf(!isHere).each([
    ['mariadb-install-db', 'has no room'],
    ['mariadbd', 'has no memory'],
  ])(`fails with the reason when %s does${ifHere}`, (program, reason) => {
    const { status, stderr } = run({ [program]: `echo "It ${reason}." >&2; exit 1` })
    expect(status).toBe(1)
    expect(stderr).toContain(`It ${reason}.`)
  })
})

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A new folder, deleted after the tests of the file. Others may enter it, as PostgreSQL never runs as root. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'leadwell-local-'))
  await chmod(folder, 0o755)
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return folder
}

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atWorkerEnd } from '../support/worker-end.ts'

/** Makes a folder that is deleted when the worker ends. Others may enter it, as PostgreSQL never runs as root. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'leadwell-local-'))
  await chmod(folder, 0o755)
  atWorkerEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

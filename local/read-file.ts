import { readFile } from 'node:fs/promises'

/** A file's text, or null when there is no such file. Throws when there is one that cannot be read. */
export async function readIfExists(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

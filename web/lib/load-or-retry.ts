import { SECOND } from './time.ts'

/** A phone that changes between networks is offline for at least this long. */
const RETRY_DELAY = 1 * SECOND

/**
 * Loads a script, and tries once more after a pause if that fails. The second try uses the same address, because a part
 * that came under two addresses would exist twice. A browser that remembers failed imports, as the HTML standard
 * demanded until 2026 (https://github.com/whatwg/html/pull/10327), fails again at once.
 * @throws what the second try throws
 */
export function loadOrRetry<Part>(load: () => Promise<Part>): Promise<Part> {
  return load().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY))
    return load()
  })
}

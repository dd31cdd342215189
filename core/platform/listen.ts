import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { SECOND } from '../time.ts'
import { listenClient } from './db.ts'
import type { Logger } from './log.ts'

/** The delay before the first reconnect. Each further delay is twice as long. */
const MIN_RECONNECT_DELAY = SECOND / 4
const MAX_RECONNECT_DELAY = 5 * SECOND
/** The interval of test queries: a connection that the network dropped silently reports nothing by itself. */
const TRIAL_INTERVAL = 15 * SECOND

type Listening = {
  /** The handlers of notifications, by channel. */
  channels: Record<string, (payload: string) => void>
  /** Called after each connect: earlier notifications may be lost. */
  onListening?: () => void
  log: Logger
}

/** Listens for notifications on a connection of its own, and reconnects by itself. Returns a function that stops it. */
export function listen(databaseUrl: string, listening: Listening): () => Promise<void> {
  let client: pg.Client | undefined
  const ended = new AbortController()

  const run = async () => {
    for (let pause = MIN_RECONNECT_DELAY; !ended.signal.aborted; pause = Math.min(2 * pause, MAX_RECONNECT_DELAY)) {
      client = listenClient(databaseUrl)
      try {
        await listenOn(client, listening, () => {
          pause = MIN_RECONNECT_DELAY
        })
      } catch (error) {
        listening.log.debug({ reason: (error as Error).message }, 'cannot listen')
      }
      await client.end().catch(() => {})
      await sleep(pause, null, { signal: ended.signal }).catch(() => {})
    }
  }
  const running = run()

  return async () => {
    ended.abort()
    await client?.end().catch(() => {})
    await running
  }
}

/** Resolves when the connection is lost. */
async function listenOn(client: pg.Client, { channels, onListening }: Listening, onConnected: () => void) {
  const lost = new Promise<void>((resolve) => {
    // A lost connection emits several errors, and an error without a listener ends the process.
    client.on('error', () => resolve())
    client.once('end', () => resolve())
  })
  await client.connect()
  client.on('notification', ({ channel, payload = '' }) => channels[channel]?.(payload))
  for (const channel of Object.keys(channels)) await client.query(`listen ${channel}`)
  onConnected()
  onListening?.()

  const failed = new Promise<never>((_, reject) => {
    const trial = setInterval(() => client.query('select 1').catch(reject), TRIAL_INTERVAL)
    lost.then(() => clearInterval(trial))
  })
  await Promise.race([lost, failed])
}

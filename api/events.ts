import { PassThrough, type Readable } from 'node:stream'
import type { Changes, EventName } from '../core/contract/events.ts'
import { MINUTE, SECOND } from '../core/contract/time.ts'
import { merge, within } from '../core/deliveries/stores/changes.ts'
import { AppError, rateLimited } from '../core/errors.ts'

/** The interval of `changes` events, in milliseconds. Nothing after the hub batches changes again. */
const FLUSH_INTERVAL = 200
/** The least interval between two notices that the overview is out of date: reading it takes the database some time. */
const OVERVIEW_INTERVAL = 5 * SECOND
/** The interval of `resync`: some things become overdue by the clock alone, and a notice may have been lost. */
const RESYNC_INTERVAL = 5 * MINUTE
/** The most ids in an event. More changes than this are sent as `all`. */
const MAX_CHANGES = 200
/** Browsers open six connections to a site over HTTP/1.1. One must stay free for other requests. */
const MAX_STREAMS_PER_SESSION = 5
/** Limits that keep one person, or one address, from using up all streams. */
const MAX_STREAMS_PER_OWNER = 50
const MAX_STREAMS_PER_ADDRESS = 100
const MAX_STREAMS = 500
const RECONNECT_DELAY = 2 * SECOND
/** The most unread bytes of a stream. Beyond that it is closed, and the browser reads everything again. */
const MAX_BACKLOG_BYTES = 64 * 1024
/** The interval at which sessions are checked and heartbeats are sent, in milliseconds. */
const HEARTBEAT_INTERVAL = 5 * SECOND

type Watcher = { session: string; owner: string; address: string }

type Session = Watcher & { streams: Set<PassThrough>; isOpen: () => Promise<boolean> }

export type EventHub = {
  /** Opens a stream of events for one window of a session. @throws AppError if there are too many */
  open(watcher: Watcher, isOpen: () => Promise<boolean>): Readable
  publish(changes: Changes): void
  /** Calls `listener` with all changes, at once. Returns the function that ends it. */
  listen(listener: (changes: Changes) => void): () => void
  /** Makes all browsers read again, because changes may have been missed. */
  resync(): void
  /** Ends all streams and refuses new ones. */
  stop(): void
}

/** Creates the hub that sends changes to the dashboards connected to this process, as server-sent events. */
export function createEventHub({ heartbeat = HEARTBEAT_INTERVAL } = {}): EventHub {
  const sessions = new Map<string, Session>()
  const listeners = new Set<(changes: Changes) => void>()
  const notify = (changes: Changes) => {
    for (const listener of listeners) listener(changes)
  }
  const streams = () => [...sessions.values()].flatMap((session) => [...session.streams])
  const streamsOf = (isCounted: (session: Session) => boolean) =>
    [...sessions.values()].filter(isCounted).reduce((sum, session) => sum + session.streams.size, 0)
  const sendAll = (event: EventName, data?: Changes) => {
    for (const stream of streams()) send(stream, event, data)
  }

  const rows = createBatcher(FLUSH_INTERVAL, (changes) => sendAll('changes', changes))
  const overview = createBatcher(OVERVIEW_INTERVAL, () => sendAll('changes', { overview: true }))
  const resyncs = setInterval(() => sendAll('resync'), RESYNC_INTERVAL)
  const heartbeats = setInterval(() => {
    for (const session of sessions.values()) check(session)
  }, heartbeat)
  let stopped = false

  return {
    open(watcher, isOpen) {
      if (stopped || streams().length >= MAX_STREAMS) {
        throw new AppError('unavailable', 'Live updates are not available right now.', { retryAfterSeconds: 60 })
      }
      const { session: id, owner, address } = watcher
      if (
        streamsOf((each) => each.session === id) >= MAX_STREAMS_PER_SESSION ||
        streamsOf((each) => each.owner === owner) >= MAX_STREAMS_PER_OWNER
      ) {
        throw rateLimited('The dashboard is open in too many windows for live updates.', MINUTE)
      }
      if (streamsOf((each) => each.address === address) >= MAX_STREAMS_PER_ADDRESS) {
        throw rateLimited('Too many dashboards are open in your network for live updates.', MINUTE)
      }
      const session = sessions.get(id) ?? { ...watcher, streams: new Set(), isOpen }
      sessions.set(id, session)
      const stream = new PassThrough()
      session.streams.add(stream)
      stream.once('close', () => {
        session.streams.delete(stream)
        if (session.streams.size === 0) sessions.delete(id)
      })
      stream.write(`retry: ${RECONNECT_DELAY}\n\n`)
      send(stream, 'resync')
      return stream
    },
    publish(changes) {
      notify(changes)
      rows.add(changes)
      if (changes.leads || changes.jobs || changes.all) overview.add(changes)
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    resync() {
      notify({ all: true })
      sendAll('resync')
    },
    stop() {
      stopped = true
      clearInterval(heartbeats)
      clearInterval(resyncs)
      rows.stop()
      overview.stop()
      for (const stream of streams()) stream.end()
    },
  }
}

/** Ends the streams of a session that has ended. Sends a heartbeat to those of an open one. */
async function check({ streams, isOpen }: Session): Promise<void> {
  // If the database cannot be asked, the streams stay open.
  const open = await isOpen().catch(() => true)
  for (const stream of streams) {
    if (open) write(stream, ': heartbeat\n\n')
    else {
      send(stream, 'signed-out')
      stream.end()
    }
  }
}

/** Creates a batcher: it merges changes and sends them `FLUSH_INTERVAL` after the first, at most once in `interval`. */
function createBatcher(interval: number, flush: (changes: Changes) => void) {
  let batch: Changes = {}
  let timer: NodeJS.Timeout | undefined
  let flushedAt = 0
  return {
    add(changes: Changes) {
      batch = within(MAX_CHANGES, merge(batch, changes))
      timer ??= setTimeout(
        () => {
          flush(batch)
          batch = {}
          timer = undefined
          flushedAt = Date.now()
        },
        Math.max(FLUSH_INTERVAL, flushedAt + interval - Date.now()),
      )
    },
    stop: () => clearTimeout(timer),
  }
}

/** Sends an event. It always has data, because browsers ignore events without. */
function send(stream: PassThrough, event: EventName, data: Changes = {}): void {
  write(stream, `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}

function write(stream: PassThrough, text: string): void {
  if (stream.writableEnded) return
  if (stream.writableLength + stream.readableLength > MAX_BACKLOG_BYTES) stream.destroy()
  else stream.write(text)
}

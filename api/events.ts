import { PassThrough, type Readable } from 'node:stream'
import type { Changes, EventName } from '../core/contract/events.ts'
import { AppError } from '../core/errors.ts'
import { merge, within } from '../core/stores/changes.ts'
import { SECOND } from '../core/time.ts'

/** How long changes are gathered before they are sent, in milliseconds. */
const FLUSH_INTERVAL = 200
/** Of more changes than this at once a dashboard is only told that there were many. */
const MAX_CHANGES = 200
/** A browser opens six connections to a site over HTTP/1.1: one must stay free for everything else. */
const MAX_STREAMS_PER_SESSION = 5
/** Leave streams to colleagues, also to those at the same address, when one person has many sessions. */
const MAX_STREAMS_PER_OWNER = 50
const MAX_STREAMS_PER_ADDRESS = 100
const MAX_STREAMS = 500
/** How long a browser waits before it connects again, in milliseconds. */
const RETRY = 2 * SECOND
/** Who has this much unread, in bytes, is disconnected, and reads everything again when it is back. */
const MAX_BACKLOG_BYTES = 64 * 1024
/** How often the sessions are looked at, and proxies and browsers hear that the stream lives. */
const HEARTBEAT_INTERVAL = 5 * SECOND

/** Identifies the receiver of a stream: its session, the account and the address. */
export type Watcher = { session: string; owner: string; address: string }

type Session = Watcher & { streams: Set<PassThrough>; isOpen: () => Promise<boolean> }

export type EventHub = {
  /** A new stream of events for one window of a session. @throws AppError when there are too many */
  open(watcher: Watcher, isOpen: () => Promise<boolean>): Readable
  publish(changes: Changes): void
  /** Says that changes may have been missed. */
  resync(): void
  /** Ends every stream, and opens no more. */
  stop(): void
}

/** Everybody who watches the dashboard through this process, as server-sent events. */
export function createEventHub({ beat = HEARTBEAT_INTERVAL } = {}): EventHub {
  const sessions = new Map<string, Session>()
  const streams = () => [...sessions.values()].flatMap((session) => [...session.streams])
  const streamsOf = (isCounted: (session: Session) => boolean) =>
    [...sessions.values()].filter(isCounted).reduce((sum, session) => sum + session.streams.size, 0)
  const sendAll = (event: EventName, data?: Changes) => {
    for (const stream of streams()) send(stream, event, data)
  }

  const gatherer = createGatherer((changes) => sendAll('changes', changes))
  const beats = setInterval(() => {
    for (const session of sessions.values()) check(session)
  }, beat)
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
        throw tooMany('The dashboard is open in too many windows for live updates.')
      }
      if (streamsOf((each) => each.address === address) >= MAX_STREAMS_PER_ADDRESS) {
        throw tooMany('Too many dashboards are open in your network for live updates.')
      }
      const session = sessions.get(id) ?? { ...watcher, streams: new Set(), isOpen }
      sessions.set(id, session)
      const stream = new PassThrough()
      session.streams.add(stream)
      stream.once('close', () => {
        session.streams.delete(stream)
        if (session.streams.size === 0) sessions.delete(id)
      })
      stream.write(`retry: ${RETRY}\n\n`)
      send(stream, 'resync')
      return stream
    },
    publish: gatherer.add,
    resync: () => sendAll('resync'),
    stop() {
      stopped = true
      clearInterval(beats)
      gatherer.stop()
      for (const stream of streams()) stream.end()
    },
  }
}

function tooMany(sentence: string): AppError {
  return new AppError('rate_limited', sentence, { retryAfterSeconds: 60 })
}

/** Ends the streams of a session that has ended, by whatever way; the others show that they live. */
async function check({ streams, isOpen }: Session): Promise<void> {
  // Without the database nobody can say, and nothing is sent.
  const open = await isOpen().catch(() => true)
  for (const stream of streams) {
    if (open) write(stream, ': still here\n\n')
    else {
      send(stream, 'signed-out')
      stream.end()
    }
  }
}

/** Passes on, five times a second at most, all that has changed in between. */
function createGatherer(pass: (changes: Changes) => void) {
  let gathered: Changes = {}
  let timer: NodeJS.Timeout | undefined
  return {
    add(changes: Changes) {
      gathered = within(MAX_CHANGES, merge(gathered, changes))
      timer ??= setTimeout(() => {
        pass(gathered)
        gathered = {}
        timer = undefined
      }, FLUSH_INTERVAL)
    },
    stop: () => clearTimeout(timer),
  }
}

/** Browsers pass over an event without data. */
function send(stream: PassThrough, event: EventName, data: Changes = {}): void {
  write(stream, `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}

function write(stream: PassThrough, text: string): void {
  if (stream.writableEnded) return
  if (stream.writableLength + stream.readableLength > MAX_BACKLOG_BYTES) stream.destroy()
  else stream.write(text)
}

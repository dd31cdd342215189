import { Changes, EventName } from '../../../core/contract/events.ts'
import { SECOND } from '../../lib/time.ts'

const MIN_RECONNECT_DELAY = 2 * SECOND
const MAX_RECONNECT_DELAY = 30 * SECOND

/** Anything may have changed. */
export const EVERYTHING: Changes = { all: true, overview: true }
/** At the first connection only the tables may have missed something; the rest has just been loaded. */
const JUST_LOADED: Changes = { leads: [], applications: [] }

type Listener = (changes: Changes) => void
/** Hears that the stream was opened or lost. */
type ConnectionListener = (isOpen: boolean) => void

/**
 * Calls `listener` with what changes on the server. While the stream is lost, connects again with backoff; after that,
 * anything may have changed.
 * @returns the function that closes the stream
 */
export function watchEvents(url: string, listener: Listener, onConnection: ConnectionListener): () => void {
  let source: EventSource
  let delay = MIN_RECONNECT_DELAY
  let retry: number | undefined
  let isClosed = false
  let isFirst = true

  function connect() {
    source = new EventSource(url)
    source.addEventListener('open', () => {
      delay = MIN_RECONNECT_DELAY
      onConnection(true)
    })
    source.addEventListener('error', lose)
    source.addEventListener(EventName.enum.changes, ({ data }) => listener(read(data)))
    source.addEventListener(EventName.enum.resync, () => {
      listener(isFirst ? JUST_LOADED : EVERYTHING)
      isFirst = false
    })
    source.addEventListener(EventName.enum['signed-out'], () => {
      source.close()
      // The next call is refused, and the gate closes as usual. Or the session goes on with another token, as after a
      // change of the password, and so does the stream.
      listener(EVERYTHING)
      retry = window.setTimeout(connect, delay)
    })
  }

  // A browser connects again by itself, but not after an answer that is no stream.
  function lose() {
    if (isClosed) return
    isFirst = false
    onConnection(false)
    if (source.readyState !== EventSource.CLOSED) return
    retry = window.setTimeout(connect, delay)
    delay = Math.min(delay * 2, MAX_RECONNECT_DELAY)
  }

  connect()
  return () => {
    isClosed = true
    clearTimeout(retry)
    source.close()
  }
}

/** What cannot be read may have been anything. */
function read(data: string): Changes {
  try {
    return Changes.parse(JSON.parse(data))
  } catch {
    return EVERYTHING
  }
}

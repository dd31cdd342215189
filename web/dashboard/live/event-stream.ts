import { Changes, EventName } from '../../../core/contract/events.ts'
import { SECOND } from '../../lib/time.ts'

const FIRST_POLL = 3 * SECOND
const FIRST_RETRY = 2 * SECOND
const MAX_RECONNECT_DELAY = 30 * SECOND

/** At first only the tables may have missed something; the rest has just been loaded. */
const JUST_LOADED: Changes = { leads: [], applications: [] }

type Listener = (changes: Changes) => void
/** Hears that the stream was opened or lost. */
type ConnectionListener = (isOpen: boolean) => void

/**
 * Tells what changes on the server, as long as it is not closed. While the stream cannot be had, `listener` hears every
 * few seconds, and then less and less often, that anything may have changed.
 * @returns what closes it
 */
export function watchEvents(url: string, listener: Listener, onConnection: ConnectionListener = () => {}): () => void {
  let source: EventSource
  let retryIn = FIRST_RETRY
  let retry: number | undefined
  let isClosed = false
  let wasOpen = false
  const poll = createPoll(() => listener({ all: true }))

  function connect() {
    source = new EventSource(url)
    source.addEventListener('open', () => {
      retryIn = FIRST_RETRY
      poll.stop()
      onConnection(true)
    })
    source.addEventListener('error', lose)
    source.addEventListener(EventName.enum.changes, ({ data }) => listener(read(data)))
    source.addEventListener(EventName.enum.resync, () => {
      listener(wasOpen ? { all: true } : JUST_LOADED)
      wasOpen = true
    })
    source.addEventListener(EventName.enum['signed-out'], () => {
      source.close()
      // The next call is refused, and everybody hears of it in the usual way. Or the session goes on with another token,
      // as after a change of the password, and so does the stream.
      listener({ all: true })
      retry = window.setTimeout(connect, retryIn)
    })
  }

  // A browser connects again by itself, but not after an answer that is no stream.
  function lose() {
    if (isClosed) return
    poll.start()
    onConnection(false)
    if (source.readyState !== EventSource.CLOSED) return
    retry = window.setTimeout(connect, retryIn)
    retryIn = Math.min(retryIn * 2, MAX_RECONNECT_DELAY)
  }

  function close() {
    isClosed = true
    clearTimeout(retry)
    poll.stop()
    source.close()
  }

  connect()
  return close
}

/** Nobody looks at a hidden window: it is not polled for. */
function createPoll(tell: () => void) {
  let timer: number | undefined
  const next = (wait: number) => {
    timer = window.setTimeout(() => {
      if (!document.hidden) tell()
      next(Math.min(wait * 1.5, MAX_RECONNECT_DELAY))
    }, wait)
  }
  return {
    start: () => {
      if (timer === undefined) next(FIRST_POLL)
    },
    stop: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** What cannot be read may have been anything. */
function read(data: string): Changes {
  try {
    return Changes.parse(JSON.parse(data))
  } catch {
    return { all: true }
  }
}

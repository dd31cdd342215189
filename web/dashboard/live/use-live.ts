import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Changes, EventName, streamEvents } from '../../../core/contract/events.ts'
import { SECOND } from '../../../core/contract/time.ts'
import { urlOf } from '../../lib/call.ts'

/** Shorter interruptions of the event stream are not shown. */
const SHORT_INTERRUPTION = 5 * SECOND

type Viewing = NonNullable<Changes['viewing']>[number]
const viewers = new Set<(viewing: Viewing) => void>()

/** Calls `listener` when an account has a lead open, or has left it. Returns the function that ends it. */
export function onViewing(listener: (viewing: Viewing) => void): () => void {
  viewers.add(listener)
  return () => void viewers.delete(listener)
}

/** Keeps the dashboard up to date by the event stream alone. Call it once, above all tabs. */
export function useLive(currentSyncOf: (client: QueryClient) => number | undefined) {
  const client = useQueryClient()
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    const refresh = createRefresher(client)
    let timer: number | undefined
    const close = watchEvents(
      urlOf(streamEvents),
      (changes: Changes) => {
        for (const viewing of changes.viewing ?? []) for (const notify of viewers) notify(viewing)
        refresh(changedKeys(changes, currentSyncOf(client)))
      },
      (isOpen) => {
        if (!isOpen) timer ??= window.setTimeout(setLost, SHORT_INTERRUPTION, true)
        else {
          clearTimeout(timer)
          timer = undefined
          setLost(false)
        }
      },
    )
    return () => {
      clearTimeout(timer)
      close()
    }
  }, [client, currentSyncOf])

  return {
    isLost,
    refresh: () => {
      for (const queryKey of changedKeys(EVERYTHING)) void client.invalidateQueries({ queryKey })
    },
  }
}

/** Reads shown queries again. Keys that change during a read follow after it, so that no event cancels a slow answer. */
function createRefresher(client: QueryClient): (keys: QueryKey[]) => void {
  let waiting = new Map<string, QueryKey>()
  let isReading = false

  return async (keys) => {
    for (const key of keys) waiting.set(JSON.stringify(key), key)
    if (isReading) return
    isReading = true
    while (waiting.size > 0) {
      const next = [...waiting.values()]
      waiting = new Map()
      await Promise.allSettled(next.map((queryKey) => client.invalidateQueries({ queryKey })))
    }
    isReading = false
  }
}

const MIN_RECONNECT_DELAY = 2 * SECOND
const MAX_RECONNECT_DELAY = 30 * SECOND

/** The changes after an interruption: any row may have changed. */
const EVERYTHING: Changes = { all: true, overview: true }
/** The changes at the first connection: only the tables may have missed an event, all else has just been loaded. */
const JUST_LOADED: Changes = { leads: [], applications: [] }

type Listener = (changes: Changes) => void
type ConnectionListener = (isOpen: boolean) => void

/** Calls `listener` with each change. Connects again with backoff, then reports that anything may have changed. */
function watchEvents(url: string, listener: Listener, onConnection: ConnectionListener): () => void {
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
      // The session has ended, and the next call is refused. Or it goes on with another token after a change of the
      // password, and so does the stream.
      listener(EVERYTHING)
      retry = window.setTimeout(connect, delay)
    })
  }

  // A browser connects again by itself, except after an answer that is not a stream.
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

/** Reads an event. Changes that it cannot read count as changes of everything. */
function read(data: string): Changes {
  try {
    return Changes.parse(JSON.parse(data))
  } catch {
    return EVERYTHING
  }
}

const ROWS: QueryKey[] = [
  'leads',
  'applications',
  'providers',
  'sync-runs',
  'audit-log',
  'staff',
  'erasures',
  'attention',
].map((name) => [name])

/** The lists skip `currentSync`, which reports each second; `useEndOfRun` reads them at its end. */
export function changedKeys(changes: Changes, currentSync?: number): QueryKey[] {
  const { leads, jobs, applications, providers, syncs, accounts } = changes
  const { sending, overview, attention, all } = changes
  const keys: QueryKey[] = all ? [...ROWS] : []
  // A lead may be on any page, and counts in every total.
  if (leads || jobs) keys.push(['leads', 'list'])
  if (leads) keys.push(['leads', 'opt-outs'])
  for (const id of new Set([...(leads ?? []), ...(jobs ?? [])]))
    keys.push(['leads', 'details', id], ['leads', 'jobs', id])
  if (applications) keys.push(['applications'])
  if (providers) keys.push(['providers'])
  if (accounts) keys.push(['staff'])
  if (syncs?.some((id) => id !== currentSync)) keys.push(['sync-runs', 'status'], ['sync-runs', 'list'])
  if (keys.length > 0 || attention || sending) keys.push(['audit-log'])
  for (const id of syncs ?? []) keys.push(['sync-runs', 'details', id])
  // Most lines are about leads and their jobs, whose changes come with `overview`, not too often.
  if (overview || attention || sending || applications || syncs?.some((id) => id !== currentSync))
    keys.push(['attention'])
  // Jobs tell clinics and CRM of an erasure.
  if (jobs || applications) keys.push(['erasures'])
  // Any job may have matched a lead after a sync. Records of clinics are summed up over many leads, like the overview.
  if (overview) keys.push(['overview'], ['sync-runs', 'list'], ['providers', 'record'], ['providers', 'figures'])
  return keys
}

import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { Alert, Skeleton } from './feedback.tsx'

type Props = {
  error: Error | null
  /** The words for an error without a message, as when no answer came. */
  fallback: string
  isFetching: boolean
  onRetry: () => void
  title?: string
  /** What is missing meanwhile. */
  children?: ReactNode
}

/** Stays during the next attempt, although the query forgets its error then: otherwise the alert would flicker. */
export function LoadError({ error, fallback, isFetching, onRetry, title = 'Error', children }: Props) {
  const [lastError, setLastError] = useState(error)
  useEffect(() => {
    if (error || !isFetching) setLastError(error)
  }, [error, isFetching])

  const shown = error ?? (isFetching ? lastError : null)
  if (!shown) return null
  return (
    <Alert title={title}>
      <p>
        {shown.message || fallback} {children}
      </p>
      <Button variant="outline" size="small" busy={isFetching} onClick={onRetry} className="mt-2">
        Try again
      </Button>
    </Alert>
  )
}

type LoadedProps<Data> = {
  of: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching' | 'refetch'>
  fallback: string
  className: string
  children: (data: Data) => ReactNode
}

/** Shows what a query has loaded, also if a later read fails. Before that a placeholder, or why it failed. */
export function Loaded<Data>({
  of: { data, error, isFetching, refetch },
  className,
  children,
  ...rest
}: LoadedProps<Data>) {
  return (
    <>
      <LoadError {...rest} {...{ error, isFetching }} onRetry={refetch} />
      {data === undefined && !error && <Skeleton className={className} />}
      {data !== undefined && children(data)}
    </>
  )
}

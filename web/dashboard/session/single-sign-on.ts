import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import {
  SINGLE_SIGN_ON_PATH,
  SINGLE_SIGN_ON_PROBLEMS,
  SINGLE_SIGN_ON_RESULT,
  type SingleSignOnProblem,
} from '../../../core/staff/contract/session.ts'
import { remember } from './auth-storage.ts'

/**
 * Reads the result of single sign-on from the address, after the identity provider has returned the browser. @returns
 * the error as a sentence, if there was one
 */
export function useSingleSignOnResult(): string | undefined {
  const [address, setAddress] = useSearchParams()
  const result = address.get(SINGLE_SIGN_ON_RESULT)
  const isDone = result === 'done'

  useEffect(() => {
    if (!isDone) return
    remember()
    const next = new URLSearchParams(window.location.search)
    next.delete(SINGLE_SIGN_ON_RESULT)
    setAddress(next, { replace: true, preventScrollReset: true })
  }, [isDone, setAddress])

  return isProblem(result) ? SINGLE_SIGN_ON_PROBLEMS[result] : undefined
}

/**
 * Returns the address that starts single sign-on and returns to this page. `isFresh`: asks for the credentials even if
 * the person is signed in there.
 */
export function singleSignOnUrl({ isFresh = false } = {}): string {
  const here = new URL(window.location.href)
  here.searchParams.delete(SINGLE_SIGN_ON_RESULT)
  const query = new URLSearchParams({ return: here.pathname + here.search, ...(isFresh && { fresh: '' }) })
  return `${SINGLE_SIGN_ON_PATH}?${query}`
}

function isProblem(result: string | null): result is SingleSignOnProblem {
  return result !== null && Object.hasOwn(SINGLE_SIGN_ON_PROBLEMS, result)
}

import { useQuery } from '@tanstack/react-query'
import { Session } from '../../../../core/contract/session.ts'
import { LinkAnswer } from '../../../../core/contract/staff.ts'
import { call } from '../../../lib/http.ts'
import { staffEndpoints } from '../../../paths.ts'
import { useEntry } from './sign-in.ts'

export function findLink(token: string): Promise<LinkAnswer> {
  return call(staffEndpoints.link, { method: 'POST', body: { token }, answer: LinkAnswer })
}

/** Whose link this is. Not asked for without a token. */
export function useLink(token: string | undefined) {
  return useQuery({
    queryKey: ['password-link', token],
    queryFn: () => findLink(String(token)),
    enabled: Boolean(token),
  })
}

export function choosePassword(body: { token: string; new_password: string }): Promise<Session> {
  return call(staffEndpoints.linkPassword, { method: 'POST', body, answer: Session })
}

/** Signs in with it, as far as the account has no second step. */
export const useChoosePassword = () => useEntry(choosePassword)

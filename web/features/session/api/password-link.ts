import { useMutation, useQuery } from '@tanstack/react-query'
import { Session } from '../../../../core/contract/session.ts'
import { LinkAnswer } from '../../../../core/contract/staff.ts'
import { call } from '../../../lib/http.ts'
import { staffEndpoints } from '../../../paths.ts'
import { remember } from '../auth-storage.ts'

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

export function useChoosePassword() {
  return useMutation({ mutationFn: choosePassword, onSuccess: remember })
}

import { useMutation } from '@tanstack/react-query'
import { Session } from '../../../../core/contract/session.ts'
import { call } from '../../../lib/http.ts'
import { staffEndpoints } from '../../../paths.ts'

export function confirmWithPassword(password: string): Promise<Session> {
  return call(staffEndpoints.confirm, { method: 'POST', body: { password }, answer: Session })
}

export function useConfirmWithPassword() {
  return useMutation({ mutationFn: confirmWithPassword })
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Invitation } from '../../../../core/contract/staff.ts'
import { call } from '../../../lib/http.ts'
import { staffEndpoints } from '../../../paths.ts'
import { toast } from '../../../ui/toast.ts'

export function resetPassword(id: number): Promise<Invitation> {
  return call(staffEndpoints.resetPassword(id), { method: 'POST', answer: Invitation })
}

export function useResetPassword() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: resetPassword,
    onError: ({ message }) =>
      toast({ variant: 'destructive', title: 'Failed to reset the password', description: message }),
    onSettled: () => client.invalidateQueries({ queryKey: ['staff'] }),
  })
}

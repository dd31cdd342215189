import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Invitation, type NewStaff } from '../../../../core/contract/staff.ts'
import { call } from '../../../lib/http.ts'
import { staffEndpoints } from '../../../paths.ts'

export function addStaff(body: NewStaff): Promise<Invitation> {
  return call(staffEndpoints.staff, { method: 'POST', body, answer: Invitation })
}

export function useAddStaff() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: addStaff,
    onSuccess: () => client.invalidateQueries({ queryKey: ['staff'] }),
  })
}

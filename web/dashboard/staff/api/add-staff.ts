import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type NewStaff, StaffAccount } from '../../../../core/contract/staff.ts'
import { call } from '../../../lib/http.ts'
import { staffEndpoints } from '../../../paths.ts'

export function addStaff(body: NewStaff): Promise<StaffAccount> {
  return call(staffEndpoints.staff, { method: 'POST', body, answer: StaffAccount })
}

export function useAddStaff() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: addStaff,
    onSuccess: () => client.invalidateQueries({ queryKey: ['staff'] }),
  })
}

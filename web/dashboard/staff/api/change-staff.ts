import { StaffAccount, type StaffUpdate } from '../../../../core/contract/staff.ts'
import { call } from '../../../lib/http.ts'
import { staffEndpoints } from '../../../paths.ts'
import { useAction } from '../../../ui/use-action.ts'

type Change = { id: number; update: StaffUpdate }

export function changeStaff({ id, update }: Change): Promise<StaffAccount> {
  return call(staffEndpoints.account(id), { method: 'PATCH', body: update, answer: StaffAccount })
}

export function useChangeStaff() {
  return useAction({
    act: changeStaff,
    done: 'Account changed',
    failed: 'Failed to change the account',
    changes: 'staff',
  })
}

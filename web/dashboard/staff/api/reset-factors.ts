import { StaffAccount } from '../../../../core/contract/staff.ts'
import { call } from '../../../lib/http.ts'
import { staffEndpoints } from '../../../paths.ts'
import { useAction } from '../../../ui/use-action.ts'

/** Removes what an account has for two-step sign-in, whose owner has lost it. */
export function resetFactors(id: number): Promise<StaffAccount> {
  return call(staffEndpoints.resetFactors(id), { method: 'POST', answer: StaffAccount })
}

export function useResetFactors() {
  return useAction({
    act: resetFactors,
    done: 'Two-step sign-in reset',
    failed: 'Failed to reset two-step sign-in',
    changes: 'staff',
  })
}

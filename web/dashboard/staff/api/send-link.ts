import { StaffAccount } from '../../../../core/contract/staff.ts'
import { call } from '../../../lib/http.ts'
import { staffEndpoints } from '../../../paths.ts'
import { toast } from '../../../ui/toast.ts'
import { useAction } from '../../../ui/use-action.ts'

/** Mails the owner of an account a new link to choose a password. The password, if there is one, stops working. */
export function sendLink(id: number): Promise<StaffAccount> {
  return call(staffEndpoints.resetPassword(id), { method: 'POST', answer: StaffAccount })
}

export function useSendLink() {
  return useAction({
    act: sendLink,
    done: ({ email }) => toast({ title: 'Success', description: `A link is on its way to ${email}` }),
    failed: 'Failed to send the link',
    changes: 'staff',
  })
}

import { useQueryClient } from '@tanstack/react-query'
import { act } from '../../../lib/act.ts'
import { staffEndpoints } from '../../../paths.ts'
import { toast } from '../../../ui/toast.ts'
import { useAction } from '../../../ui/use-action.ts'

export function useSwitchOffSharedPassword() {
  const client = useQueryClient()
  return useAction({
    act: () => act('DELETE', staffEndpoints.sharedPassword),
    done: () => {
      toast({ title: 'Success', description: 'The shared password is switched off' })
      // Those who came in with it are signed out.
      void client.invalidateQueries({ queryKey: ['session'] })
    },
    failed: 'Failed to switch off the shared password',
    changes: 'staff',
  })
}

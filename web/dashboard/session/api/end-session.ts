import { act } from '../../../lib/act.ts'
import { staffEndpoints } from '../../../paths.ts'
import { useAction } from '../../../ui/use-action.ts'

export function useEndSession() {
  return useAction({
    act: (id: number) => act('DELETE', staffEndpoints.session(id)),
    done: 'Session ended',
    failed: 'Failed to end session',
    changes: 'staff',
  })
}

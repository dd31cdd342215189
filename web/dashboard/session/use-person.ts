import type { Person } from '../../../core/contract/session.ts'
import { useSession } from './session.ts'

/** Who is signed in, and whether that took a password. To be used behind the gate, which has asked the server. */
export function usePerson(): { person: Person | undefined; isManager: boolean; isOpen: boolean } {
  const { data } = useSession({ enabled: true })
  return { person: data?.staff, isManager: data?.staff?.role === 'manager', isOpen: data?.access === 'open' }
}

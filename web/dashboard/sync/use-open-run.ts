import { parseId } from '../../lib/ids.ts'
import { useAddress, withValues } from '../../lib/use-address.ts'

const RUN = 'sync'

/** Which run of the sync is looked at. It is in the address, on whatever tab. */
export function useOpenRun() {
  const { address, change } = useAddress()
  return {
    openId: parseId(address.get(RUN)),
    /** The address with that run open. */
    searchOf: (id: number) => `?${withValues(address, { [RUN]: id })}`,
    open: (id: number) => change({ [RUN]: id }),
    close: () => change({ [RUN]: undefined }),
  }
}

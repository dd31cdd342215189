import { useQueryState } from 'nuqs'
import { place, useLinkTo } from '../address.ts'

/** Which run of the sync is open. It is in the address, on every tab. */
export function useOpenRun() {
  const [openId, setOpenId] = useQueryState('sync', place.sync)
  const linkTo = useLinkTo()
  return {
    openId: openId ?? undefined,
    /** The address with that run open. */
    searchOf: (id: number) => linkTo({ sync: id }),
    open: (id: number) => void setOpenId(id),
    close: () => void setOpenId(null),
  }
}

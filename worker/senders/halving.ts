import { SECOND } from '../../core/time.ts'
import { DeliveryError } from '../delivery-error.ts'
import type { CrmAnswer } from './crm-sender.ts'

/**
 * For so long, in milliseconds, a call is begun. The last one may wait 10 s for its turn and 15 s for its answer: an
 * attempt may last a minute. A worker that is stopped waits 18 s and then leaves its leads to others, as if it had been
 * killed.
 */
const BATCH_TIMEOUT = 30 * SECOND
/** So many refused by themselves before any was taken: it is hardly about each of them. */
const MAX_FAILED_SPLITS = 3

type Options<Item> = {
  /** @throws DeliveryError when it is the same for all of them */
  call: (items: Item[]) => Promise<CrmAnswer[]>
  /** Whether each of those that got this error may fare better without the others. */
  isAboutOne: (error: DeliveryError) => boolean
}

/**
 * What becomes of each of many that go in one call. When they are refused, perhaps for one of them, each half goes by
 * itself, down to that one. Whoever is not gone yet when that was in vain, or takes too long, is tried again later.
 */
export async function sendByHalves<Item>(all: Item[], { call, isAboutOne }: Options<Item>): Promise<CrmAnswer[]> {
  const deadline = Date.now() + BATCH_TIMEOUT
  let isAnyTaken = false
  let refusedAlone = 0

  const send = async (items: Item[]): Promise<CrmAnswer[]> => {
    if (items.length === 0) return []
    try {
      const answers = await call(items)
      isAnyTaken = true
      return answers
    } catch (reason) {
      const error = reason as DeliveryError
      if (!isAboutOne(error)) return items.map(() => error)
      if (items.length === 1) {
        refusedAlone += 1
        return [error]
      }
      const middle = Math.ceil(items.length / 2)
      return [...(await sendHalf(items.slice(0, middle), error)), ...(await sendHalf(items.slice(middle), error))]
    }
  }
  const sendHalf = async (items: Item[], refusal: DeliveryError): Promise<CrmAnswer[]> => {
    const isInVain = !isAnyTaken && refusedAlone >= MAX_FAILED_SPLITS
    return isInVain || Date.now() > deadline ? items.map(() => notAlone(refusal)) : send(items)
  }
  return send(all)
}

/** Without what the CRM said, which may name another of them. */
function notAlone({ cause, status }: DeliveryError): DeliveryError {
  const summary = 'The CRM refused a batch that contains this lead. The lead is retried.'
  return new DeliveryError(summary, { cause, retry: 'later', status })
}

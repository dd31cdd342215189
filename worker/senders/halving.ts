import { SECOND } from '../../core/time.ts'
import { DeliveryError } from '../delivery-error.ts'
import type { CrmAnswer } from './crm-sender.ts'

/**
 * In milliseconds: no new call begins after this time. The last call may wait 10 s for its slot and 15 s for its
 * answer, so an attempt may last a minute. A worker that stops waits 18 s and then leaves its leads to other workers,
 * as after a kill.
 */
const BATCH_TIMEOUT = 30 * SECOND
/** Single items refused before any was accepted: the reason is probably not the items. */
const MAX_FAILED_SPLITS = 3

type Options<Item> = {
  /** @throws DeliveryError when all items failed for the same reason */
  call: (items: Item[]) => Promise<CrmAnswer[]>
  /** Returns whether items with this error may succeed without the others. */
  isAboutOne: (error: DeliveryError) => boolean
}

/**
 * Sends a batch and returns one result per item. Splits a refused batch in half until the bad item is alone. Items
 * still unsent after `BATCH_TIMEOUT`, or after `MAX_FAILED_SPLITS`, are retried later.
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

/** Leaves out the CRM's text, which may name another item. */
function notAlone({ cause, status }: DeliveryError): DeliveryError {
  const summary = 'The CRM refused a batch that contains this lead. The lead is retried.'
  return new DeliveryError(summary, { cause, retry: 'later', status })
}

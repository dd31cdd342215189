/** The days within which a person's next request goes to the same clinic. */
export const AGAIN_DAYS = 30

/** An earlier request with the same e-mail or phone. Held requests are none, because a stranger may have sent them. */
export type EarlierRequest = {
  id: number
  /** The clinic that got the request within `AGAIN_DAYS`. */
  providerId: number | null
  /** Whether the clinic could not help. A person who no longer wanted it has not been turned down. */
  isDeclined: boolean
  /** Otherwise only the phone is the same. */
  isSameEmail: boolean
}

/** What earlier requests mean for a new one. */
export type Repeat = {
  /** The earlier request that the new one repeats, for staff: one with the same phone alone counts as well. */
  repeatOf: number | null
  /** The clinic that is to get the new request as well, with its earlier request. */
  again: { providerId: number; leadId: number } | null
  /** The clinics that declined an earlier request. They get the new one only if the person chooses them. */
  except: number[]
}

/**
 * Decides what the earlier requests of a person, the newest first, mean for a new one. Only those with the same email
 * address decide where it goes: the owner of that mailbox gets the confirmation. Anybody can type the phone and the name of
 * another person, and would learn from the confirmation which clinic that person asked.
 */
export function decideRepeat(earlier: EarlierRequest[]): Repeat {
  const given = earlier.filter(({ providerId, isSameEmail }) => providerId !== null && isSameEmail)
  const declined = given.filter(({ isDeclined }) => isDeclined)
  const except = [...new Set(declined.flatMap(({ providerId }) => providerId ?? []))]
  const last = given.find(({ providerId }) => !except.includes(providerId as number))
  if (!last) return { repeatOf: earlier[0]?.id ?? null, again: null, except }
  return { repeatOf: last.id, again: { providerId: last.providerId as number, leadId: last.id }, except }
}

import { z } from 'zod'
import { Email } from './forms.ts'

/** What an address of a clinic is for: its requests, or notices of answers that are late. */
export const AddressUse = z.enum(['requests', 'late'])
export type AddressUse = z.infer<typeof AddressUse>

/** Who asked for the address in use, and when it was confirmed. Null unless the clinic brought it. */
const Confirmed = z.object({ at: z.iso.datetime(), asked_by: z.string() }).nullable()

/** An address that is not in use before a link in an e-mail to it is confirmed. `asked` is the state of that e-mail. */
const Waiting = z
  .object({
    email: z.string(),
    asked_by: z.string(),
    asked_at: z.iso.datetime(),
    asked: z.enum(['pending', 'sent', 'failed']),
  })
  .nullable()

/** The addresses of a clinic, where they come from, and what waits for a confirmation. */
export const ClinicAddresses = z.object({
  /** The address that WordPress has. */
  wordpress: z.string(),
  /** The address that gets the requests. `is_own`: the clinic has replaced that of WordPress. */
  requests: z.object({ email: z.string(), is_own: z.boolean(), confirmed: Confirmed, waiting: Waiting }),
  /** The second address. Staff may have set it, too. */
  late: z.object({ email: z.string().nullable(), confirmed: Confirmed, waiting: Waiting }),
})
export type ClinicAddresses = z.infer<typeof ClinicAddresses>

/**
 * The body of `changeClinicAddress`. Null means the address of WordPress, or no second address. An address that is in use
 * already takes back what waits for a confirmation.
 */
export const ClinicAddressChange = z.object({
  use: AddressUse,
  email: Email.nullable(),
})
export type ClinicAddressChange = z.output<typeof ClinicAddressChange>

import { z } from 'zod'

export const Login = z.object({
  password: z.string({ error: 'Enter the password' }).min(1, 'Enter the password').max(200),
})

/** Whether this browser may see the staff's pages. */
export const Session = z.object({ authenticated: z.boolean() })
export type Session = z.infer<typeof Session>

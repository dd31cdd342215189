import { z } from 'zod'

export const Login = z.object({
  password: z.string({ error: 'Enter the password' }).min(1, 'Enter the password').max(200),
})

/** Whether this browser may see the staff's pages, and whether that takes a password. */
export const Session = z.object({ authenticated: z.boolean(), access: z.enum(['password', 'open']) })
export type Session = z.infer<typeof Session>

import { z } from 'zod'

/** A text that may be left out. */
export const optionalText = z
  .string()
  .trim()
  .optional()
  .transform((text) => text || undefined)
/** A web address, or another one of these protocols. */
export const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address like ${example}` })
/** What may be left out, or empty. */
export const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

import { z } from 'zod'

/** A form of a visitor, or of a clinic that applied. */
export const ErasureKind = z.enum(['lead', 'application'])
export type ErasureKind = z.infer<typeof ErasureKind>

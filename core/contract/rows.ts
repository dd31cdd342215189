import { z } from 'zod'

/** The id of a stored row, in an address. */
export const RowParams = z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) })

/** Which page of a list, counted from 1, and how many rows a page has. */
export const PageQuery = (rowsPerPage: number) =>
  z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(100).default(rowsPerPage),
  })

import { expect } from 'vitest'

type Difference = { actual?: unknown; expected?: unknown; message: string }

/**
 * Checks every row of a table, also after one that is wrong, and fails with all of the wrong rows: each with its label,
 * what was expected and what was found.
 */
export async function checkRows<Row>(
  rows: readonly Row[],
  label: (row: Row) => string,
  check: (row: Row) => unknown,
): Promise<void> {
  expect(rows.length).toBeGreaterThan(0)
  const wrong: unknown[] = []
  for (const row of rows) {
    try {
      await check(row)
    } catch (error) {
      const { message, ...difference } = error as Difference
      const found = 'actual' in difference ? { expected: difference.expected, found: difference.actual } : { message }
      wrong.push({ row: label(row), ...found })
    }
  }
  expect(wrong).toEqual([])
}

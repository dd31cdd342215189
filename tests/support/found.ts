/** Returns a row that must be there. @throws Error without one */
export function found<Row>(row: Row): NonNullable<Row> {
  if (row == null) throw new Error('There is no such row')
  return row
}

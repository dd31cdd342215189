/**
 * Prepares a list to be searched again and again, at each key.
 * @param fieldsOf the texts of an item that are searched
 * @returns the items that have every word of a search in their fields, whatever case or accents
 */
export function createSearch<Item>(
  items: Item[],
  fieldsOf: (item: Item) => (string | null)[],
): (search: string) => Item[] {
  let texts: string[] | undefined
  return (search) => {
    const words = plain(search).split(/\s+/).filter(Boolean)
    if (words.length === 0) return items
    texts ??= items.map((item) => plain(fieldsOf(item).join('\n')))
    return items.filter((_, index) => words.every((word) => texts?.[index]?.includes(word)))
  }
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

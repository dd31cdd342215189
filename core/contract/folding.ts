/** Letters that Unicode does not take apart. The database's function `folded` has the same. */
const LETTERS: Record<string, string> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ı: 'i', ħ: 'h', ŧ: 't', ŋ: 'n', ĸ: 'k', ə: 'e', ƒ: 'f' },
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
  // The apostrophes of Hawaiian and Ukrainian names.
  ...{ ʻ: "'", ʼ: "'", ʾ: "'", ʿ: "'" },
}
const UNFOLDED = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/** Returns a text without case and accents, as people type a name that they look for: `Łukasz` becomes `lukasz`. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(UNFOLDED, (letter) => LETTERS[letter] ?? letter)
}

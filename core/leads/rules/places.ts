// Stryker disable StringLiteral: a list of names decides nothing.
/** The states of the US and its territories as the postal service abbreviates them (USPS Publication 28, appendix B). */
const STATES: Record<string, string> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  PR: 'Puerto Rico',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
}
// Stryker restore StringLiteral

/** Words that people shorten at the beginning of a place's name. The list of zip codes spells them out. */
export const ABBREVIATIONS: Record<string, string> = { st: 'saint', ft: 'fort', mt: 'mount', ste: 'sainte' }

/** What a visitor may have meant by the text of a search: a zip code, or one or more readings of a name. */
export type PlaceSearch = {
  /** The beginning of a zip code. */
  zip?: string
  /** The beginning of a city's name in lower case, and its state if the text has one. */
  cities: { city: string; state?: string }[]
  /** States whose names begin with the text, or whose abbreviation it is. */
  states: { code: string; name: string }[]
}

/**
 * Reads the text of a search for a place. `Austin`, `austin tx`, `Austin, Texas`, `St. Louis`, `787`, `78704-1234` and
 * `Austin, TX 78704` are understood.
 */
export function readPlaceSearch(text: string): PlaceSearch {
  const words = text
    .toLowerCase()
    .split(/[\s.,]/)
    .filter(Boolean)
  const whole = words.join(' ')
  const zip = /(?:^|\s)(\d{5})(?:-?\d{4}|-\d{0,3})?$/.exec(whole)?.[1] ?? /^\d{1,4}$/.exec(whole)?.[0]
  if (zip) return { zip, cities: [], states: [] }
  if (!/\p{L}/u.test(whole)) return { cities: [], states: [] }

  // A name of a state may have three words. `Washington` and `New York` may be cities, too.
  const ends = [1, 2, 3].flatMap((count) => {
    const state = stateOf(words.slice(-count).join(' '))
    return state && words.length > count ? [{ city: cityName(words.slice(0, -count)), state }] : []
  })
  return {
    cities: [...ends, { city: cityName(words) }],
    states: Object.entries(STATES)
      .filter(
        ([code, name]) => code.toLowerCase() === whole || (whole.length > 2 && name.toLowerCase().startsWith(whole)),
      )
      .map(([code, name]) => ({ code, name })),
  }
}

function stateOf(text: string): string | undefined {
  return Object.entries(STATES).find((names) => names.some((name) => name.toLowerCase() === text))?.[0]
}

const cityName = (words: string[]) =>
  words.map((word, index) => (index === 0 ? (ABBREVIATIONS[word] ?? word) : word)).join(' ')

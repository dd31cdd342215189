import { brand } from './brand.ts'
import type { Brand } from './type.ts'

/** Something to replace or decide before the site is shown to real visitors. */
type OpenPoint = { what: string; why: string }

const INVENTED =
  /Northmere|Plainly, Men|Haldenby|Evenkeel|Quillmark|Candle Hour|Oakmoor|Tarnfield|Fernhollow|Steadwell|Hallamere|Velmora/

/** Where the brand still has what stands for a real value: reserved domains, numbers kept for fiction, text in brackets. */
const PLACEHOLDER = /\.example\b|\b555[-. ]01\d\d\b|\[[^\]]+\]|placeholder/i

/** Returns what is still to be done before going live, the brand's own placeholders first. Nothing of it stops the start. */
export function beforeGoingLive(shown: Brand = brand): OpenPoint[] {
  const texts = textsOf(shown)
  const placeholders = texts.filter(({ text }) => PLACEHOLDER.test(text))
  const invented = texts.filter(({ text }) => INVENTED.test(text) && !PLACEHOLDER.test(text))
  return [
    ...placeholders.map(({ name, text }) => ({ what: `${name}: ${text}`, why: 'This is a placeholder.' })),
    ...invented.map(({ name, text }) => ({ what: `${name}: ${text}`, why: 'This name is invented.' })),
    {
      what: '“Limited Spots Available!” above each form',
      why: 'It must be true. Take it out of web/site/lead-form/lead-form-card.tsx if it is not.',
    },
    {
      what: 'The countdown of the offer to clinics',
      why: 'It begins anew at each visit unless OFFER_DEADLINE names the real end of the offer.',
    },
    {
      what: 'The claims about the treatment, the study and the financing terms',
      why: 'They are samples. You have to be able to prove each of them.',
    },
  ]
}

/** Lists the texts of the brand with the names of their places, such as `partners 1 name`. */
function textsOf(value: unknown, name = ''): { name: string; text: string }[] {
  if (typeof value === 'string') return [{ name, text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => {
    const shown = Array.isArray(value) ? String(Number(key) + 1) : key
    return textsOf(part, name ? `${name} ${shown}` : shown)
  })
}

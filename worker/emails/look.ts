import { brand } from '../../core/brand.ts'

const { primary, accent, background, foreground } = brand.colors

type Palette = Record<
  'page' | 'card' | 'panel' | 'line' | 'title' | 'text' | 'muted' | 'link' | 'button' | 'onButton',
  string
>

/** The colours of e-mails, all of them from the brand's. */
export const LIGHT: Palette = {
  page: mix(background, primary, 0.05),
  card: background,
  panel: mix(background, primary, 0.05),
  line: mix(background, primary, 0.14),
  title: mix(primary, '#000000', 0.5),
  text: foreground,
  muted: mix(foreground, background, 0.3),
  link: primary,
  button: primary,
  onButton: background,
}

/** The same where the reader's device is set to dark, and the program that shows the e-mail asks for it. */
export const DARK: Palette = {
  page: mix('#000000', primary, 0.12),
  card: mix('#141414', primary, 0.2),
  panel: mix('#1c1c1c', primary, 0.3),
  line: mix('#2a2a2a', primary, 0.4),
  title: '#ffffff',
  text: mix('#ffffff', primary, 0.1),
  muted: mix('#ffffff', primary, 0.3),
  link: mix('#ffffff', accent, 0.5),
  button: mix('#ffffff', accent, 0.5),
  onButton: mix(primary, '#000000', 0.5),
}

/** What inline styles cannot say. Programs that do not know it leave it out, and show the light colours. */
export const STYLES = `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
.page { background-color: ${DARK.page} !important; }
.paper { background-color: ${DARK.card} !important; }
.panel { background-color: ${DARK.panel} !important; }
.line { border-color: ${DARK.line} !important; }
.title { color: ${DARK.title} !important; }
.text { color: ${DARK.text} !important; }
.muted { color: ${DARK.muted} !important; }
.link { color: ${DARK.link} !important; }
.button { background-color: ${DARK.button} !important; color: ${DARK.onButton} !important; }
}`

/** A colour between two, as #rrggbb, with `share` (0 to 1) of the second. */
function mix(first: string, second: string, share: number): string {
  const channels = (color: string) => [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
  const [from, to] = [channels(first), channels(second)]
  const mixed = from.map((value, index) => Math.round(value + (Number(to[index]) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

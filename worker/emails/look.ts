import { BLACK, mix, WHITE } from '../../core/brand/colors.ts'
import { palette } from '../../core/brand/palette.ts'

const { primary, accent, background, foreground } = palette

type Palette = Record<
  'page' | 'card' | 'panel' | 'line' | 'title' | 'text' | 'muted' | 'link' | 'button' | 'onButton',
  string
>

export const LIGHT: Palette = {
  page: mix(background, primary, 0.05),
  card: background,
  panel: mix(background, primary, 0.05),
  line: mix(background, primary, 0.14),
  title: mix(primary, BLACK, 0.5),
  text: foreground,
  muted: mix(foreground, background, 0.3),
  link: primary,
  button: primary,
  onButton: background,
}

/** The colors in dark mode, for mail programs that support it. */
export const DARK: Palette = {
  page: mix(BLACK, primary, 0.12),
  card: mix(mix(BLACK, WHITE, 0.08), primary, 0.2),
  panel: mix(mix(BLACK, WHITE, 0.11), primary, 0.3),
  line: mix(mix(BLACK, WHITE, 0.165), primary, 0.4),
  title: WHITE,
  text: mix(WHITE, primary, 0.1),
  muted: mix(WHITE, primary, 0.3),
  link: mix(WHITE, accent, 0.5),
  button: mix(WHITE, accent, 0.5),
  onButton: mix(primary, BLACK, 0.5),
}

/** Styles that cannot be inline. Mail programs without support ignore them and show the light colors. */
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
.on-button { color: ${DARK.onButton} !important; }
.quiet-button { background-color: ${DARK.card} !important; border-color: ${DARK.link} !important; color: ${DARK.link} !important; }
}`

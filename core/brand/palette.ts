import type { Palette } from './type.ts'

/** The colors of the brand. `npm run generate` writes them to `web/brand.css`. */
export const palette: Palette = {
  primary: '#4b157a',
  secondary: '#7928ca',
  accent: '#b24ae0',
  background: '#ffffff',
  foreground: '#333333',
  night: '#2d0b4c',
  dusk: '#3b1062',
  ink: '#26123a',
  lilac: '#e3d0f3',
  mist: '#f7f3fb',
  paper: '#f7efdf',
  line: '#e2d8ec',
  edge: '#8d7f9c',
  quiet: '#62596d',
  good: '#17683f',
  goodSoft: '#e3f4ea',
  bad: '#ad1f2d',
  badDeep: '#8a1723',
  badSoft: '#fdebec',
  wait: '#7d5100',
  waitBright: '#b3740a',
  waitSoft: '#fdf2d6',
}

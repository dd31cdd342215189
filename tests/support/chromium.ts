import { existsSync } from 'node:fs'

/** Only what a program needs of Chromium, and a third faster. It knows no fonts by `local()`. */
const SHELL = '/usr/bin/chromium-headless-shell'
const USUAL_PLACES = [
  SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * The program that `CHROMIUM_PATH` names, else a Chromium or Chrome where they usually are; null if there is none.
 * @param isWhole whether the shell is the last choice instead of the first
 */
export function findChromium({ isWhole = false } = {}): string | null {
  const places = process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : USUAL_PLACES
  const inOrder = isWhole ? places.toSorted((a, b) => Number(a === SHELL) - Number(b === SHELL)) : places
  return inOrder.find((path) => existsSync(path)) ?? null
}

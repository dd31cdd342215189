import { existsSync } from 'node:fs'

const USUAL_PLACES = [
  // Only what a program needs of it, and a third faster.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The program that `CHROMIUM_PATH` names, else a Chromium or Chrome where they usually are; null if there is none. */
export function findChromium(): string | null {
  const places = process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : USUAL_PLACES
  return places.find((path) => existsSync(path)) ?? null
}

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Entry = { integrity?: string; link?: boolean; optional?: boolean; dev?: boolean }
const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
const entries = Object.entries<Entry>(lock.packages).filter(([path, { link }]) => path !== '' && !link)

/** Binaries for other platforms, which the registry in use did not serve (404), so that their hashes are not known. */
const UNSERVED = [
  '@biomejs/cli-android-arm64',
  '@biomejs/cli-android-x64',
  '@biomejs/cli-darwin-arm64',
  '@biomejs/cli-darwin-x64',
  '@biomejs/cli-linux-arm64-musl',
  '@biomejs/cli-linux-x64-musl',
  '@biomejs/cli-win32-arm64',
  '@biomejs/cli-win32-x64',
  '@msgpackr-extract/msgpackr-extract-darwin-arm64',
  '@msgpackr-extract/msgpackr-extract-darwin-x64',
  '@msgpackr-extract/msgpackr-extract-linux-arm',
  '@msgpackr-extract/msgpackr-extract-win32-x64',
  '@tailwindcss/oxide-android-arm64',
  '@tailwindcss/oxide-darwin-arm64',
  '@tailwindcss/oxide-darwin-x64',
  '@tailwindcss/oxide-freebsd-x64',
  '@tailwindcss/oxide-linux-arm-gnueabihf',
  '@tailwindcss/oxide-wasm32-wasi',
  '@tailwindcss/oxide-win32-arm64-msvc',
  '@tailwindcss/oxide-win32-x64-msvc',
].map((name) => `node_modules/${name}`)

describe('package-lock.json', () => {
  it('has a strong hash of every package but those known not to have one', () => {
    const without = entries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)
    expect(without.filter((path) => !UNSERVED.includes(path))).toEqual([])
  })

  it('has none of those in what production runs on Linux, which is the image', () => {
    const ofImage = entries.filter(([path, { dev }]) => UNSERVED.includes(path) && !dev).map(([path]) => path)
    expect(ofImage.filter((path) => !/darwin|win32|linux-arm$/.test(path))).toEqual([])
    expect(entries.filter(([path, { optional }]) => UNSERVED.includes(path) && !optional)).toEqual([])
  })
})

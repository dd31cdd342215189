import { expect } from 'vitest'
import { readEnv } from '../../core/env.ts'
import { SettingsError } from '../../core/settings/read-settings.ts'

/** The names of the settings that were refused, each as often as it was complained about. */
export function problems(settings: Record<string, string | undefined>): string[] {
  return messageOf(settings)
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(' ')[0] ?? '')
}

export function messageOf(settings: Record<string, string | undefined>): string {
  try {
    readEnv(settings as Record<string, string>)
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError)
    return (error as Error).message
  }
  throw new Error('These settings were accepted.')
}

import { createHash, randomInt } from 'node:crypto'
import type { Context } from 'koa'
import type { PageData } from '../core/contract/page.ts'
import { VARIANTS, type Variant } from '../core/contract/page-views.ts'
import type { Env } from '../core/env.ts'
import { asksNotToBeMeasured } from './do-not-measure.ts'

/** Returns the id of the experiment with a heading: another heading is another experiment. */
export function experimentId(heading: string): string {
  return createHash('sha256').update(heading).digest('hex').slice(0, 12)
}

type Settings = Pick<Env, 'HOME_HEADING_TEST' | 'PAGE_VIEWS'>

/**
 * Draws the heading for a load of the home page; undefined without an experiment. Each load is drawn for itself, and nothing
 * about the visitor decides. Takes part: a browser that goes to the page and may be measured. What does not navigate, such
 * as a crawler or a preview of a link, gets the page without an experiment
 * (https://www.w3.org/TR/fetch-metadata/#sec-fetch-mode-header).
 */
export function drawVariant(ctx: Context, { HOME_HEADING_TEST, PAGE_VIEWS }: Settings): Variant | undefined {
  if (!HOME_HEADING_TEST || PAGE_VIEWS === 'off') return undefined
  if (ctx.get('sec-fetch-mode') !== 'navigate' || asksNotToBeMeasured(ctx)) return undefined
  return VARIANTS[randomInt(VARIANTS.length)]
}

/** Returns the data of a page that shows a variant. */
export function variantData(variant: Variant, heading: string): Pick<PageData, 'experiment'> {
  const id = experimentId(heading)
  return { experiment: variant === 'other' ? { id, variant, heading } : { id, variant } }
}

import type { Context } from 'koa'

/**
 * Returns whether a browser asks not to be measured: by Do Not Track (https://www.w3.org/TR/tracking-dnt/) or by Global
 * Privacy Control (https://www.w3.org/TR/gpc/).
 */
export function asksNotToBeMeasured(ctx: Context): boolean {
  return ctx.get('dnt') === '1' || ctx.get('sec-gpc') === '1'
}

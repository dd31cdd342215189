import type Router from '@koa/router'
import { answerKept, keepBody } from '../kept-body.ts'
import { openApiDocument } from '../openapi.ts'
import type { Services } from '../services.ts'

export function openApiRoutes(router: Router, { env }: Services): void {
  const document = keepBody(JSON.stringify(openApiDocument(env.PUBLIC_URL)))

  router.get('/api/openapi.json', async (ctx) => {
    ctx.type = 'json'
    await answerKept(ctx, document)
  })
}

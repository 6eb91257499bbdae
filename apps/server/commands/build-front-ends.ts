import fs from 'node:fs'
import path from 'node:path'

/** Builds the front ends if this is a source checkout. An installation without `tools/` has them built. */
export async function buildFrontEnds(): Promise<void> {
  const tools = path.resolve(import.meta.dirname, '../../../tools/front-end-build.ts')
  if (!fs.existsSync(tools)) return
  const { buildWhenStale } = await import('../../../tools/front-end-build.ts')
  await buildWhenStale(() => console.error('画面をビルドしています… / building the screens'))
}

import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { generate } from './generate.ts'
import { buildManual } from './manual/build-manual.ts'

/**
 * Builds the browser applications into `apps/<name>/dist` and the manual into `docs/dist`, with a `.br` and a `.gz`
 * beside every text file, so that the server compresses nothing while it serves. `buildWhenStale` skips it when the
 * sources are unchanged.
 */
const root = path.resolve(import.meta.dirname, '..')
const APPS = ['console', 'iam', 'sso']
const TEXT = /\.(?:html|js|css|json|svg)$/
/** For smaller files the compressed response's header costs more than compression saves. */
const MIN_BYTES = 512

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

export async function buildFrontEnds(): Promise<void> {
  // A test runner sets "test", with which React would be built for development, 75 KB larger, and kept as the current
  // build.
  process.env.NODE_ENV = 'production'
  await generate()
  for (const app of APPS) {
    const folder = path.join(root, 'apps', app)
    const configFile = path.join(folder, 'vite.config.ts')
    if (!fs.existsSync(configFile)) throw new Error(`apps/${app}/vite.config.ts is missing`)
    const startedAt = performance.now()
    await build({ configFile, root: folder, logLevel: 'warn' })
    const files = await precompress(path.join(folder, 'dist'))
    console.log(`built apps/${app}: ${files} files, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  }
  const pages = await buildManual()
  await precompress(path.join(root, 'docs/dist'))
  console.log(`built the manual: ${pages} pages`)
}

async function precompress(folder: string): Promise<number> {
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => TEXT.test(file))
    .map(file => path.join(folder, file))
  await Promise.all(files.map(compressOne))
  return files.length
}

async function compressOne(file: string): Promise<void> {
  const content = fs.readFileSync(file)
  if (content.length < MIN_BYTES) return
  const [br, gz] = await Promise.all([
    brotli(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    zip(content, { level: constants.Z_BEST_COMPRESSION }),
  ])
  fs.writeFileSync(`${file}.br`, br)
  fs.writeFileSync(`${file}.gz`, gz)
}

if (import.meta.main) {
  // Ends with the start that requested it; otherwise it would write into the next start's build.
  process.once('disconnect', () => process.exit(1))
  process.channel?.unref()
  await buildFrontEnds()
}

import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from '../tools/source-tree.ts'
import { launchBrowser, newVisitor, signInAs } from './console-visitor.ts'
import { ownSystem } from './own-system.ts'

/**
 * A practice copy of the running demonstration, made and started as `npm run practice` does; it cannot be mistaken for
 * the real system.
 */
const system = await ownSystem()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-practice-e2e-'))
const into = path.join(folder, 'practice')
let child: ChildProcess
let ended: Promise<void>
let browser: Browser
let port = 0
let password = ''
const origin = () => `http://localhost:${port}`

beforeAll(async () => {
  browser = await launchBrowser()
  port = await threeFreePorts()
  child = spawn(
    process.execPath,
    [path.join(ROOT, 'apps/server/commands/practice.ts'), '--into', into, '--port', String(port)],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, VITEST: undefined, NODE_ENV: undefined, DATA_DIR: system.dataDir, LOG_LEVEL: 'warn' },
    },
  )
  let output = ''
  const isReady = new Promise<void>(resolve => child.once('message', () => resolve()))
  const saidPassword = new Promise<string>(resolve => {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
        const said = /until the next start: (\S+)\n/.exec(output)?.[1]
        if (said !== undefined) resolve(said)
      })
  })
  ended = new Promise(resolve => child.once('exit', () => resolve()))
  const isOver = ended.then((): never => {
    throw new Error(`the practice ended before it was ready:\n${output}`)
  })
  isOver.catch(() => {}) // rejects at the end, when nobody awaits it
  password = (await Promise.race([Promise.all([saidPassword, isReady]), isOver]))[0]
}, 240_000)
afterAll(async () => {
  await browser?.close()
  child?.kill('SIGTERM')
  await ended
  fs.rmSync(folder, { recursive: true, force: true })
})

it.each([
  [1440, 900],
  [390, 800],
])(
  'says on every page of %i px that it is for practice, leads to the result, and asks nobody outside',
  {
    timeout: 120_000,
  },
  async (width, height) => {
    const { page, problems, close } = await newVisitor(browser, width, height)
    const requested = new Set<string>()
    page.on('request', request => requested.add(new URL(request.url()).origin))
    const band = page.getByRole('complementary', { name: '練習環境' })
    const says = async () => {
      await band.getByText('ここでの操作は実際の支払・通知に影響しません').waitFor()
      expect(await page.title()).toMatch(/^【練習】/)
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      const box = await band.boundingBox()
      expect(box?.y).toBe(0)
      expect(box?.width).toBe(width)
      return box
    }
    await page.goto(`${origin()}/gpc/`)
    await page.getByLabel('メールアドレス').waitFor()
    await says()
    await signInAs(page, 'admin-1@practice.example', password)
    const shown = await says()
    // The band covers nothing of the application.
    const header = await page.getByRole('banner').first().boundingBox()
    expect(header?.y).toBeGreaterThanOrEqual(shown?.height ?? Number.POSITIVE_INFINITY)
    await band.getByRole('link', { name: /^\d{4}年\d{1,2}月分の練習の結果$/ }).click()
    await page.getByRole('heading', { name: '練習の結果' }).waitFor()
    expect(new URL(page.url()).hash).toMatch(/^#\/adjustments\/practice/)
    await says()
    await page.goto(`${origin()}/iam/`)
    await page.getByRole('navigation', { name: 'メインメニュー', includeHidden: true }).waitFor({ state: 'attached' })
    await says()
    const own = [port, port + 1, port + 2].map(each => `http://localhost:${each}`)
    expect([...requested].filter(one => one !== 'null' && !own.includes(one))).toEqual([])
    expect(problems).toEqual([])
    await close()
  },
)

it('has no such band in the real system', async () => {
  const { page, close } = await newVisitor(browser)
  await page.goto(`${system.webOrigin}/gpc/`)
  await page.getByLabel('メールアドレス').waitFor()
  expect(await page.getByRole('complementary', { name: '練習環境' }).count()).toBe(0)
  expect(await page.title()).not.toContain('練習')
  await close()
})

/** A free port with two free ports after it. */
async function threeFreePorts(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const first = await listening(0)
    const address = first?.address()
    const start = typeof address === 'object' && address ? address.port : Number.POSITIVE_INFINITY
    const others = start < 65_000 ? await Promise.all([listening(start + 1), listening(start + 2)]) : [undefined]
    for (const server of [first, ...others]) if (server) await new Promise(resolve => server.close(resolve))
    if (others.every(server => server !== undefined)) return start
  }
  throw new Error('no three ports in a row are free')
}

function listening(at: number) {
  const server = createServer()
  return new Promise<typeof server | undefined>(resolve => {
    server.once('error', () => resolve(undefined))
    server.listen(at, '127.0.0.1', () => resolve(server))
  })
}

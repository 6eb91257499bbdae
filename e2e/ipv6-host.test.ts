import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ROOT } from '../tools/source-tree.ts'
import { launchBrowser } from './console-visitor.ts'

/**
 * A content security policy cannot contain `[::1]`, so the console, its APIs and its issuer are reached as localhost.
 */
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-ipv6-'))
const hasIpv6 = Object.values(os.networkInterfaces()).some(list => list?.some(({ address }) => address === '::1'))
const browser = await launchBrowser()
let stop = async () => {}

afterAll(async () => {
  await browser.close()
  await stop()
  fs.rmSync(dataDir, { recursive: true, force: true })
})

async function freePorts(): Promise<string[]> {
  const servers = [1, 2, 3].map(() => net.createServer().listen(0, '::1'))
  await Promise.all(servers.map(server => new Promise(resolve => server.once('listening', resolve))))
  const ports = servers.map(server => String((server.address() as net.AddressInfo).port))
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  return ports
}

async function start(): Promise<{ web: string; firstAdminLink: string }> {
  const [web = '', insight = '', iam = ''] = await freePorts()
  const own = { HOST: '::1', PORT: web, INSIGHT_API_PORT: insight, IAM_API_PORT: iam, DATA_DIR: dataDir }
  const child = spawn(process.execPath, [path.join(ROOT, 'apps/server/commands/start.ts')], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, PUBLISHER_CENTER_DEMO: 'off', ...own },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()))
  stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  await Promise.race([new Promise(resolve => child.once('message', resolve)), exited])
  return { web, firstAdminLink: /http:\S+first-admin\S+/.exec(output)?.[0] ?? output }
}

it.skipIf(!hasIpv6)(
  'with HOST=::1 the first administrator registers, signs in and reads, whatever name was typed',
  async () => {
    const { web, firstAdminLink } = await start()
    expect(firstAdminLink).toContain(`http://localhost:${web}/`)
    const page = await browser.newPage({ locale: 'ja-JP' })
    const problems: string[] = []
    page.on('console', message => message.type() === 'error' && problems.push(message.text()))
    page.on('requestfailed', request => {
      const why = request.failure()?.errorText ?? ''
      if (why !== 'net::ERR_ABORTED') problems.push(`${request.url()} ${why}`) // given up by going to the next page
    })
    await page.goto(firstAdminLink)
    await page.getByLabel('メールアドレス').fill('first@example.jp')
    await page.getByRole('textbox', { name: 'パスワード' }).fill('correct horse battery staple 9')
    await page.getByRole('button', { name: '登録してはじめる' }).click()
    await page.waitForURL(/#\/reports\/dashboard/)
    await page.goto(`http://[::1]:${web}/gpc/#/managements/agreements`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(new URL(page.url()).hostname).toBe('localhost')
    expect(problems).toEqual([])
  },
)

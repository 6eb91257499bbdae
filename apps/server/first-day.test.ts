import { randomBytes } from 'node:crypto'
import { startClickHouseEngine } from '@pc/testing/statistics/clickhouse-engine.ts'
import { STATS_ENGINES } from '@pc/testing/statistics/stats-engines.ts'
import { type LeastIssuer, signInAtLeastIssuer, startLeastIssuer } from '@pc/testing/system/least-issuer.ts'
import { consoleClient, externalClient, silentTokens } from '@pc/testing/system/oidc-client.ts'
import {
  ask,
  freePorts,
  MAX_START_MS,
  type Ports,
  startCommandsFixture,
} from '@pc/testing/system/start-commands-fixture.ts'
import { TestBrowser } from '@pc/testing/test-browser.ts'
import { afterAll, expect, test, vi } from 'vitest'

/**
 * The production files' start commands on an empty database, to a signed-in first administrator: as docs/install.md says it.
 * With ClickHouse web, api and worker are processes of their own, as in compose.yaml; without it one process does all, as
 * the image does when nothing else is said.
 */
const hasClickHouse = STATS_ENGINES.includes('clickhouse')
const fixture = startCommandsFixture()
afterAll(() => fixture.close())

interface System {
  readonly ports: Ports
  readonly origin: string
  /** Of the process that serves the first administrator's screen. */
  readonly output: () => string
  firstAdmin(...options: string[]): Promise<{ readonly code: number | null; readonly output: string }>
  stop(): Promise<unknown>
}

async function startEmpty(name: string, ports: Ports, issuer: Readonly<Record<string, string>>): Promise<System> {
  const { url } = await fixture.migratedDatabase(`first_day_${name}_${process.pid}`)
  const given: Record<string, string> = {
    DATABASE_URL_FILE: fixture.secretFile(`${name}_url`, url),
    SECRETS_KEY_FILE: fixture.secretFile(`${name}_key`, randomBytes(32).toString('base64')),
    ...issuer,
  }
  if (hasClickHouse) {
    const engine = process.env.CLICKHOUSE_URL
      ? { url: process.env.CLICKHOUSE_URL, stop: async () => {} }
      : await startClickHouseEngine()
    fixture.closing.push(() => engine.stop())
    const clickhouse = new URL(engine.url)
    clickhouse.pathname = `/first_day_${name}_${process.pid}`
    given.CLICKHOUSE_URL_FILE = fixture.secretFile(`${name}_clickhouse`, clickhouse.href)
  }
  const settings = (service: string) => fixture.settingsOf(service, ports, given)
  const parts = hasClickHouse
    ? ['web', 'api', 'worker'].map(service => fixture.start(service, settings(service), `${name}-${service}`))
    : [fixture.startWhole(settings('web'), `${name}-whole`)]
  await Promise.all(parts.map(part => part.ready))
  return {
    ports,
    origin: `http://127.0.0.1:${ports.web}`,
    output: () => parts[0]?.output() ?? '',
    // `docker compose exec web node apps/server/commands/first-admin.ts`: in the container of web, with its settings.
    async firstAdmin(...options) {
      const env = { ...settings('web'), LOG_LEVEL: undefined }
      const command = fixture.run('first-admin', ['node', 'apps/server/commands/first-admin.ts', ...options], env)
      return { code: await command.ended, output: command.output() }
    },
    async stop() {
      for (const { child } of parts) child.kill('SIGTERM')
      const codes = await Promise.all(parts.map(({ ended }) => ended))
      expect(
        codes.every(code => code === 0),
        String(codes),
      ).toBe(true)
      for (const { output } of parts) expect(output()).not.toMatch(/"level":"(error|fatal)"/)
    },
  }
}

async function threePorts(): Promise<Ports> {
  const [web = '', insight = '', iam = '', operator = ''] = await freePorts(4)
  return { web, insight, iam, operator }
}

const secretIn = (text: string) => /#\/first-admin\/([\w-]{43})/.exec(text)?.[1] ?? ''
const printedSecret = async (system: System) =>
  vi.waitFor(() => {
    const secret = secretIn(system.output())
    expect(secret).not.toBe('')
    return secret
  })

const WHO = `query Q($userID: ID!) { viewer { email roles } user(userID: $userID) { email roles { name } } }`
const BOSS = {
  data: {
    viewer: { email: 'boss@example.jp', roles: ['admin'] },
    user: { email: 'boss@example.jp', roles: [{ name: 'admin' }] },
  },
}

/** The pages of signing in, with the code flow as oidc-client-ts runs it in them. */
function pagesAt({ origin }: System, provider: LeastIssuer) {
  const browser = new TestBrowser(origin)
  const client = externalClient(provider, origin)
  return {
    browser,
    async tokenOf(account: string, more: { nonce?: string; url_state?: string } = {}) {
      const request = await client.createSigninRequest({ nonce: crypto.randomUUID(), prompt: 'login', ...more })
      const back = await signInAtLeastIssuer(new TestBrowser(provider.issuer), request.url, account)
      const landed = await browser.visit(back, { headers: { accept: 'text/html' } })
      return { token: (await client.processSigninResponse(back)).id_token ?? '', landed }
    },
  }
}

test(
  'with an issuer of somebody else that says the least: the printed link, its sign-in, and the APIs know the administrator',
  async () => {
    const ports = await threePorts()
    const provider = await startLeastIssuer(`http://127.0.0.1:${ports.web}`)
    fixture.closing.unshift(() => provider.close())
    const issuer = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: provider.clientId }
    const system = await startEmpty('foreign', ports, issuer)
    const { browser, tokenOf } = pagesAt(system, provider)
    expect((await browser.api('session')).text).toContain('"kind":"external"')

    // Somebody who signs in without the link is nobody; the log says why.
    const { token: stranger, landed } = await tokenOf('stranger')
    expect(landed.status).toBe(200)
    expect(await ask(ports.iam, stranger, WHO, { userID: 'stranger' })).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    })
    expect((await browser.api('account', undefined, { authorization: `Bearer ${stranger}` })).status).toBe(403)
    await vi.waitFor(() => expect(system.output()).toMatch(/"why":"not-registered","subject":"stranger"/))

    // The link by the command is as good as the printed one, which it voids.
    const printed = await printedSecret(system)
    const made = await system.firstAdmin('--email', 'boss@example.jp')
    expect(made.code, made.output).toBe(0)
    expect((await browser.api('first-admin/bind', { secret: printed, email: 'boss@example.jp' })).status).toBe(410)
    const secret = secretIn(made.output)
    const begun = JSON.parse((await browser.api('first-admin/bind', { secret })).text)
    const boss = await tokenOf('the-boss', { nonce: begun.nonce, url_state: 'bind' })
    // Back from the provider, the binding page takes the answer, not the console.
    expect(boss.landed.status).toBe(302)
    expect(boss.landed.location).toMatch(/\/sso\/\?code=[^#]+#\/bind$/)
    const bound = await browser.api('bind', { ticket: begun.ticket }, { authorization: `Bearer ${boss.token}` })
    expect(bound.status, bound.text).toBe(200)
    const { token } = await tokenOf('the-boss')
    expect(await ask(ports.iam, token, WHO, { userID: 'the-boss' })).toEqual(BOSS)

    const late = await system.firstAdmin('--email', 'late@example.jp', '--issuer-subject', 'late')
    expect(late).toMatchObject({ code: 1, output: expect.stringContaining('administrators invite') })
    await system.stop()
  },
  MAX_START_MS,
)

test(
  'with the embedded issuer: the printed link, a password, and the APIs know the administrator',
  async () => {
    const system = await startEmpty('embedded', await threePorts(), {})
    const browser = new TestBrowser(system.origin)
    const secret = await printedSecret(system)
    const input = { secret, email: 'boss@example.jp', password: 'the first day of production' }
    expect((await browser.api('first-admin', input)).status).toBe(200)
    const { id_token = '', profile } = await silentTokens(browser, consoleClient(system.origin))
    expect(await ask(system.ports.iam, id_token, WHO, { userID: profile.sub })).toEqual(BOSS)
    expect((await system.firstAdmin('--email', 'late@example.jp')).code).toBe(1)
    await system.stop()
  },
  MAX_START_MS,
)

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  readonly attributes: string
}

export interface Visit {
  readonly status: number
  readonly headers: Headers
  /** Absolute address of a redirect. */
  readonly location: string | undefined
  readonly text: string
}

/** The parts of a browser that a protocol test needs: cookies by path, redirects one at a time. */
export class TestBrowser {
  readonly #origin: string
  #cookies: Cookie[] = []

  constructor(origin: string) {
    this.#origin = origin
  }

  get cookies(): readonly Cookie[] {
    return this.#cookies
  }

  forgetCookies(ofName: RegExp): void {
    this.#cookies = this.#cookies.filter(cookie => !ofName.test(cookie.name))
  }

  async visit(address: string, init: RequestInit = {}): Promise<Visit> {
    const url = new URL(address, this.#origin)
    const headers = new Headers(init.headers)
    const sent = this.#cookies.filter(({ path }) => {
      const folder = path.endsWith('/') ? path : `${path}/`
      return url.pathname === path || url.pathname.startsWith(folder)
    })
    if (sent.length > 0) headers.set('cookie', sent.map(({ name, value }) => `${name}=${value}`).join('; '))
    const response = await fetch(url, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    const location = response.headers.get('location')
    return {
      status: response.status,
      headers: response.headers,
      location: location === null ? undefined : new URL(location, url).href,
      text: await response.text(),
    }
  }

  /** Calls an endpoint of the sign-in application as its page does. */
  async api(name: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    const own: Record<string, string> = { 'sec-fetch-site': 'same-origin', ...headers }
    const init: RequestInit =
      body === undefined
        ? { headers: own }
        : {
            method: 'POST',
            headers: { origin: this.#origin, 'content-type': 'application/json', ...own },
            body: JSON.stringify(body),
          }
    const visit = await this.visit(`/sso/api/${name}`, init)
    return { ...visit, body: JSON.parse(visit.text || '{}') as ApiBody }
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const at = pair.indexOf('=')
    const path = attributes.find(each => /^path=/i.test(each))?.slice(5) ?? '/'
    const cookie = { name: pair.slice(0, at), value: pair.slice(at + 1), path, attributes: attributes.join('; ') }
    this.#cookies = this.#cookies.filter(each => each.name !== cookie.name || each.path !== path)
    const isGone = attributes.some(each => /^expires=thu, 01 jan 1970/i.test(each))
    if (cookie.value !== '' && !isGone) this.#cookies.push(cookie)
  }
}

interface ApiBody {
  readonly location?: string
  readonly email?: string
  readonly user?: { readonly email: string } | null
  readonly isEmpty?: boolean
  readonly isDemo?: boolean
  readonly refusals?: readonly { readonly code: string; readonly path: readonly string[] }[]
}

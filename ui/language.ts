/** A language resource: texts by name, or groups of them. */
interface Texts {
  readonly [name: string]: string | Texts
}

type KeyOf<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${KeyOf<T[K]>}` }[keyof T & string]

export interface Language<T> {
  /** Asks the server for the texts. @throws when it does not answer with them: there is nothing to show without */
  load(): Promise<void>
  /** The same with texts that are at hand. */
  use(texts: T): void
  /** A text. One that is missing is shown by its key. */
  t(key: KeyOf<T>): string
}

/**
 * Language resources come over HTTP beside the application (Japanese only; fallback Japanese). They are there before
 * anything is drawn and never change, so components call `t` itself. Each application names the type of its resource:
 * a text that does not exist does not compile.
 */
export function makeLanguage<T extends Texts>(namespace: string): Language<T> {
  const texts = new Map<string, string>()
  const keep = (group: Texts, path: string) => {
    for (const [name, value] of Object.entries(group)) {
      if (typeof value === 'string') texts.set(path + name, value)
      else keep(value, `${path}${name}.`)
    }
  }
  return {
    async load() {
      // The same address as the preload in the page; the server answers "not modified" where it is known already.
      const response = await fetch(`./locales/ja/${namespace}.json`, { credentials: 'same-origin' })
      if (!response.ok) throw new Error(`${namespace}.json: status ${response.status}`)
      keep((await response.json()) as T, '')
    },
    use: given => keep(given, ''),
    t: key => texts.get(key) ?? key,
  }
}

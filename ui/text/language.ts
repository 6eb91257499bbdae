/** A language resource: texts by name, or groups of texts. */
interface Texts {
  readonly [name: string]: string | Texts
}

type KeyOf<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${KeyOf<T[K]>}` }[keyof T & string]

export interface Language<T> {
  /**
   * Fetches the texts.
   * @throws when the server does not return them, because nothing can be shown without
   */
  load(): Promise<void>
  /** Uses given texts instead of fetching them. */
  use(texts: T): void
  /** A text; a missing one is shown as its key. */
  t(key: KeyOf<T>): string
}

/**
 * Language resources come from the server; they are in Japanese only, so there is no choice and no fallback. They are
 * loaded before anything renders and never change, so components call `t` directly. Each application names the type of
 * its resource, so that a missing text does not compile.
 */
export function makeLanguage<T extends Texts>(namespace: string): Language<T> {
  let known: Texts | undefined
  return {
    async load() {
      // The address that the page preloads before its entry runs; the server answers "not modified" to a known version.
      const response = await fetch(`./locales/ja/${namespace}.json`, { credentials: 'same-origin' })
      if (!response.ok) throw new Error(`${namespace}.json: status ${response.status}`)
      known = (await response.json()) as Texts
    },
    use: texts => {
      known = texts
    },
    t: key => textOf(known, key) ?? key,
  }
}

function textOf(texts: Texts | undefined, key: string): string | undefined {
  const found = key
    .split('.')
    .reduce<string | Texts | undefined>((part, name) => (typeof part === 'object' ? part[name] : undefined), texts)
  return typeof found === 'string' ? found : undefined
}

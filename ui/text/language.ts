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
 * Language resources come from the server (Japanese only, so there is nothing to choose or to fall back to). They are there
 * before anything is drawn and never change, so components call `t` itself. Each application names the type of its
 * resource: a text that does not exist does not compile.
 */
export function makeLanguage<T extends Texts>(namespace: string): Language<T> {
  let known: Texts | undefined
  return {
    async load() {
      // By the address that the page has asked for before its entry ran; the server answers "not modified" where it is known.
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

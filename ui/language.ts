import { type BackendModule, createInstance } from 'i18next'

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

/** Where i18next gets a resource: beside the application, by the address that the page has asked for before its entry ran. */
const backend: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, done) {
    // The server answers "not modified" where it is known already.
    fetch(`./locales/${language}/${namespace}.json`, { credentials: 'same-origin' })
      .then(response => {
        if (!response.ok) throw new Error(`${namespace}.json: status ${response.status}`)
        return response.json()
      })
      .then(
        texts => done(null, texts),
        (error: unknown) => done(error as Error, null),
      )
  },
}

/**
 * Language resources come through i18next's backend (Japanese only; fallback Japanese). They are there before anything is
 * drawn and never change, so components call `t` itself. Each application names the type of its resource: a text that
 * does not exist does not compile. i18next's own HTTP backend is twice the size of the request that is needed here.
 */
export function makeLanguage<T extends Texts>(namespace: string): Language<T> {
  const i18next = createInstance()
  // The keys are those of the resource's own type, which i18next would have to be told for all applications at once.
  const textOf: (key: string) => string = i18next.t
  const settings = {
    ...{ lng: 'ja', fallbackLng: 'ja', ns: [namespace], defaultNS: namespace },
    interpolation: { escapeValue: false },
  }
  return {
    load: () =>
      new Promise((resolve, reject) => {
        i18next.on('failedLoading', (_language, _namespace, message) => reject(new Error(String(message))))
        i18next
          .use(backend)
          .init(settings)
          .then(() => resolve(), reject)
      }),
    use: texts => void i18next.init({ ...settings, resources: { ja: { [namespace]: texts } } }),
    t: key => (i18next.isInitialized ? textOf(key) : key),
  }
}

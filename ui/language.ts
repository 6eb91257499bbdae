import i18next from 'i18next'
import Backend from 'i18next-http-backend'
import { initReactI18next } from 'react-i18next'

/**
 * Language resources come over HTTP beside the application (Japanese only; fallback Japanese). Each application
 * declares the keys of its namespace, so that a missing text does not compile.
 */
export async function loadLanguage(namespace: string, version: string): Promise<void> {
  await i18next
    .use(Backend)
    .use(initReactI18next)
    .init({
      lng: 'ja',
      fallbackLng: 'ja',
      ns: [namespace],
      defaultNS: namespace,
      backend: { loadPath: './locales/{{lng}}/{{ns}}.json', queryStringParams: { v: version } },
      interpolation: { escapeValue: false },
      react: { useSuspense: false },
    })
}

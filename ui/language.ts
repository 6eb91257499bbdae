import i18next from 'i18next'
import Backend from 'i18next-http-backend'
import { initReactI18next } from 'react-i18next'

/**
 * Language resources come over HTTP beside the application (Japanese only; fallback Japanese). Each application
 * declares the keys of its namespace, so that a missing text does not compile.
 */
export async function loadLanguage(namespace: string): Promise<void> {
  await i18next
    .use(Backend)
    .use(initReactI18next)
    .init({
      lng: 'ja',
      fallbackLng: 'ja',
      ns: [namespace],
      defaultNS: namespace,
      // The same address as the preload in the page; the server answers "not modified" where it is known already.
      backend: { loadPath: './locales/{{lng}}/{{ns}}.json', requestOptions: { credentials: 'same-origin' } },
      interpolation: { escapeValue: false },
      react: { useSuspense: false },
    })
}

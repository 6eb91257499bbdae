import i18next from 'i18next'
import Backend from 'i18next-http-backend'

/**
 * Language resources come over HTTP beside the application (Japanese only; fallback Japanese). Each application
 * declares the keys of its namespace, so that a missing text does not compile. They are there before anything is drawn
 * and never change, so components call `t` itself.
 */
export async function loadLanguage(namespace: string): Promise<void> {
  await i18next.use(Backend).init({
    lng: 'ja',
    fallbackLng: 'ja',
    ns: [namespace],
    defaultNS: namespace,
    // The same address as the preload in the page; the server answers "not modified" where it is known already.
    backend: { loadPath: './locales/{{lng}}/{{ns}}.json', requestOptions: { credentials: 'same-origin' } },
    interpolation: { escapeValue: false },
  })
}

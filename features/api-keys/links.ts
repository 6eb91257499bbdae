/** The screen of API keys, with which an organisation's own programs read its data. */
export const API_KEYS_PATH = '/api-keys'

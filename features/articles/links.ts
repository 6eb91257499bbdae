export const ARTICLES_PATH = '/managements/articles'

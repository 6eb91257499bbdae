create index concurrently medium_articles_updated on medium_articles (updated_at, article_id);

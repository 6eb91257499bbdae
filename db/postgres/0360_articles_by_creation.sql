create index concurrently medium_articles_created on medium_articles (created_at, article_id);

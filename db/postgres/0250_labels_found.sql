-- Authors, sections and tags are found by their names as everything else is: kana and width make no difference.
alter table article_labels add column search_text text not null generated always as (app.search_text(name)) stored;

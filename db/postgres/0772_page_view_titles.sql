-- What a screen is called, beside its path: for the table of the screens that are used. The version before leaves it out.
alter table page_views add column title text check (length(title) <= 100);

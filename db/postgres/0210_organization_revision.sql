-- Two people who rename one organisation: the second is told, as with every other record that is edited.
alter table organizations add column revision integer not null default 1;

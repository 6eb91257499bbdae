-- What each kind of pool is divided by when the entry brings no weights of its own (payments rules, section 2.1 f).
alter table payment_settings
  add column ssp_weight text not null default 'article_click',
  add column video_ssp_weight text not null default 'video_watch3s',
  add column live_ssp_weight text not null default 'live_watch',
  add constraint payment_settings_weights check (
    array[ssp_weight, video_ssp_weight, live_ssp_weight] <@ array[
      'article_impression', 'article_click', 'article_watch', 'video_impression', 'video_click', 'video_watch',
      'video_watch3s', 'live_impression', 'live_click', 'live_watch']);

// SPDX-License-Identifier: MIT
// Texts, numbers and dates in the person's language.
//   t('Answers: {n}', {n: number(3)})   every text that a person reads; the first argument is one literal, which Scripts/page-texts collects
//   known(english)                      a text of the program, in the language if there is a translation
//   number(1234.5, {maximumFractionDigits: 0}), percent(0.25), bytes(1500), milliseconds(840), seconds(3.2)
//   date(value), time(value), ago(value)   of a Date, of milliseconds or of ISO 8601 text
//   about                               what /api/about gave: version, isDeveloper, language, direction, theme, isListening
export let about = { language: 'en', direction: 'ltr', theme: 'auto', texts: {} };

export function use(given) {
  about = given;
  const root = document.documentElement;
  root.lang = about.language;
  root.dir = about.direction;
  if (about.theme && about.theme !== 'auto') root.dataset.theme = about.theme;
  else delete root.dataset.theme;
  for (const element of document.querySelectorAll('[data-t]')) element.textContent = t(element.dataset.t);
}

export const known = (english) => about.texts?.[english] || english;

export function t(english, values) {
  const text = known(english);
  return values ? text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all) : text;
}

export const number = (value, options) => new Intl.NumberFormat(about.language, options).format(value);
export const percent = (value) => number(value, { style: 'percent', maximumFractionDigits: 1 });
const unit = (value, name, digits = 0) => number(value, { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: digits });
export const milliseconds = (value) => unit(value, 'millisecond');
export const seconds = (value) => unit(value, 'second', 1);
export function bytes(value) {
  const steps = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  const step = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  return unit(value / 1000 ** step, steps[step], step ? 1 : 0);
}

export const date = (value, options = { dateStyle: 'medium', timeStyle: 'short' }) => {
  const day = new Date(value);
  return Number.isNaN(day.getTime()) ? '' : new Intl.DateTimeFormat(about.language, options).format(day);
};
export const time = (value) => date(value, { timeStyle: 'medium' });
export function ago(value, now = Date.now()) {
  const past = (new Date(value).getTime() - now) / 1000;
  const [size, name] = [[86400, 'day'], [3600, 'hour'], [60, 'minute'], [1, 'second']].find(([size]) => Math.abs(past) >= size) ?? [1, 'second'];
  return new Intl.RelativeTimeFormat(about.language, { numeric: 'auto' }).format(Math.round(past / size), name);
}

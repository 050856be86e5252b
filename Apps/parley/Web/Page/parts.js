// SPDX-License-Identifier: MIT
// Parts of the views.
//   await command(words)             run() in a queue of all tabs; errors have the program's message and `code`
//   const place = card(title, load, draw)   a section that loads: says so, and offers to try again after an error;
//                                    place.refresh() now, place.touch() when no person uses its fields and the tab is seen
//   changes({settings: [card]}, signal)  touches cards when the program tells of a change, until the signal aborts
//   act(place, label, words, {sure, of, kind})  a button that runs a command, says its notes and refreshes the card
//   refill(element, heading, ...children)   fill() that keeps the focus in it, or moves it to the heading if that control has gone
//   form(label, fields, action)      a form whose action's errors are reported
//   table(heads, rows, text if there are none), plot(title, values, text), facts(pairs), bar(label, part), select(choices, value)
//   join(…) of what is there, with a separator in front
import { run } from './api.js';
import { announce, button, fails, fill, h, newID, sure, svg } from './dom.js';
import { connection, subscribe } from './live.js';
import { date, t } from './texts.js';

const SLOTS = 4;
let calls = Math.floor(Math.random() * SLOTS);

/** Commands of all tabs wait for each other: the program runs a few at a time. */
export function command(words, input) {
  return navigator.locks.request(`parley-run-${calls++ % SLOTS}`, async () => {
    try { return await run(words, input); } catch (error) {
      const reason = error.out?.find((line) => line.error)?.error;
      throw reason ? Object.assign(error, reason) : error;
    }
  });
}
export const lines = async (words) => (await command(words)).out;
export const first = async (words) => (await lines(words))[0] ?? {};

const FIELDS = 'input, select, textarea';
const CONTROLS = `a, button, ${FIELDS}, summary, [tabindex]`;

/** Replaces the children. The person's place stays: the focus, and what is unfolded. */
export function refill(element, heading, ...children) {
  const controls = () => [...element.querySelectorAll(CONTROLS)];
  const folds = () => [...element.querySelectorAll('details')];
  const does = (one) => one?.dataset.does ?? one?.hash;
  const alike = (list, one) => list.filter((other) => other.firstChild.textContent === one.firstChild.textContent);
  const [held, before] = [document.activeElement, folds()];
  const at = controls().indexOf(held);
  fill(element, ...children);
  const after = folds();
  for (const one of before) if (one.open) alike(after, one)[alike(before, one).indexOf(one)]?.setAttribute('open', '');
  if (at < 0) return;
  // Never on what does the same to something else: Enter may follow.
  const next = does(held) ? controls().find((one) => does(one) === does(held)) : controls()[at];
  (next && does(next) === does(held) ? next : heading).focus({ preventScroll: true });
}

export function card(title, load, draw, level = 'h2') {
  const id = newID('card');
  const heading = h(level, { id, tabindex: -1 }, title);
  const body = h('div', { class: 'stack', oninput: () => { isTyped = true; }, onfocusout: ({ relatedTarget }) => {
    if (isMissed && !isTyped && !body.contains(relatedTarget)) place.touch();
  } }, h('p', { class: 'muted' }, t('Loading …')));
  const place = h('section', { class: 'card', 'aria-labelledby': id }, heading, body);
  let [isTyped, isMissed, isStale, isWanted, going] = [false, false, false, false, null];
  // What is selected in a field, and the caret, are a person's as what was typed is.
  const isUsed = () => isTyped || body.contains(document.activeElement) && document.activeElement.matches(FIELDS);
  const work = async () => {
    place.setAttribute('aria-busy', 'true');
    do {
      const wasWanted = isWanted;
      isStale = isWanted = false;
      let [data, failure, content] = [];
      try { data = await load(); } catch (error) { failure = error; }
      // A person uses it, and did not ask for this; to draw it would take parts out of it, too.
      if (isUsed() && !wasWanted) { isMissed = true; continue; }
      try {
        if (failure) throw failure;
        content = await draw(data, place);
      } catch (error) {
        content = [h('p', { class: 'failure' }, error.message), button(t('Try again'), place.refresh)];
      }
      refill(body, heading, content);
      isTyped = isMissed = false;
    } while (isStale);
    place.removeAttribute('aria-busy');
    going = null;
  };
  place.refresh = () => { isStale = isWanted = true; return going ??= work(); };
  place.touch = () => {
    if (document.hidden) document.addEventListener('visibilitychange', place.touch, { once: true });
    else if (isUsed()) isMissed = true;
    else if (place.isConnected) {
      isStale = true;
      going ??= work();
    }
  };
  place.refresh();
  return place;
}

export function changes(cards, signal) {
  let wasLost = false;
  subscribe((event) => {
    if (event.event === 'connection' && connection.state !== 'live') wasLost = true;
    const isGap = event.event === 'snapshot' && wasLost;
    if (isGap) wasLost = false;
    const touched = isGap ? Object.values(cards).flat() : event.event === 'changed' ? cards[event.what] ?? [] : [];
    for (const place of new Set(touched)) place.touch();
  }, signal);
}

/** Runs a command for a card, and says its notes. */
export async function change(place, words) {
  const { notes } = await command(words);
  if (notes.length) announce(notes.join('\n'));
  await place.refresh();
}

export function act(place, label, words, { sure: question, of: item, kind } = {}) {
  const element = button(label, async () => {
    if (!question || await sure(label, question, label, item)) await change(place, words);
  }, kind);
  element.dataset.does = words.join(' ');
  return element;
}

export function form(label, fields, action) {
  const submit = h('button', { class: 'primary' }, label);
  return h('form', { class: 'stack', onsubmit: async (event) => {
    event.preventDefault();
    if (submit.getAttribute('aria-disabled')) return;
    submit.setAttribute('aria-disabled', 'true');
    try { await action(); } catch (error) { fails(error); } finally { submit.removeAttribute('aria-disabled'); }
  } }, fields, h('div', { class: 'row' }, submit));
}

export const select = (choices, value = '') => {
  const element = h('select', {}, choices.map(([name, label]) => h('option', { value: name }, label)));
  element.value = value;
  return element;
};
export const empty = (text) => h('p', { class: 'muted' }, text);
export const row = (...children) => h('div', { class: 'row' }, children);
export const fold = (title, ...children) => h('details', {}, h('summary', {}, title), h('div', { class: 'stack' }, children));
export const facts = (pairs) => h('dl', { class: 'facts' },
  pairs.filter(([, value]) => value !== undefined && value !== null).map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
export const bar = (label, part = 0) => h('span', { class: 'bar', role: 'img', 'aria-label': label, style: { '--part': part, 'min-inline-size': '5rem' } });
/** Shows a level in dBFS. */
export const fillBar = (element, level) => element.style.setProperty('--part', Math.max(0, Math.min(1, (level + 60) / 60)));
export const join = (separator, ...parts) => parts.filter(Boolean).join(separator);
/** The first cell of a row is its heading. */
export const table = (heads, rows, none) => none && !rows.length ? empty(none) : h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': heads.join(', '), style: { 'overflow-wrap': 'normal' } },
  h('table', {}, h('thead', {}, h('tr', {}, heads.map((head) => h('th', { scope: 'col' }, head)))),
    h('tbody', {}, rows.map(([name, ...cells]) => h('tr', {}, h('th', { scope: 'row' }, name), cells.map((cell) => h('td', {}, cell)))))));

const day = (value) => date(`${value}T12:00`, { dateStyle: 'medium' });

/** Bars of the last 60 days; `days` are [['2026-01-31', number]], the others are empty. `text` writes a number. */
export function plot(title, days, text) {
  const [known, count, top] = [new Map(days), 60, Math.max(...days.map((day) => day[1])) || 1];
  const today = Date.parse(`${new Date().toLocaleDateString('sv')}T00:00Z`);
  const dates = Array.from({ length: count }, (_, at) => new Date(today - (count - 1 - at) * 864e5).toISOString().slice(0, 10));
  const bars = dates.map((name, at) => {
    const height = 100 * (known.get(name) ?? 0) / top;
    return height > 0 && svg('rect', { x: at * 10 + 1, y: 100 - height, width: 8, height, fill: 'var(--accent)' },
      svg('title', {}, `${day(name)}: ${text(known.get(name))}`));
  });
  const flip = document.dir === 'rtl' && `translate(${count * 10} 0) scale(-1 1)`;
  return h('figure', { class: 'stack', style: { margin: 0 } },
    h('figcaption', {}, title, ' ', h('span', { class: 'muted' }, t('(at most {value})', { value: text(top) }))),
    svg('svg', { viewBox: `0 0 ${count * 10} 101`, width: '100%', height: 96, preserveAspectRatio: 'none', role: 'img', 'aria-label': title },
      svg('g', { transform: flip }, bars, svg('rect', { y: 100, width: count * 10, height: 1, fill: 'var(--line)' }))),
    h('div', { class: 'row muted', style: { 'justify-content': 'space-between' } }, h('span', {}, day(dates[0])), h('span', {}, day(dates[count - 1]))),
    fold(t('As a table'), table([t('Day'), title], days.map(([name, value]) => [day(name), text(value)]).reverse())));
}

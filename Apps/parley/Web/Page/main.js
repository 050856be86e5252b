// SPDX-License-Identifier: MIT
// The shell: session, texts, navigation by the address's fragment (#chat, #chat/ARGUMENT).
// A view is a module ./NAME.js, loaded when it is opened first, with
//   title                       translated (its module is loaded when texts are there)
//   show(container, argument, signal)   fills the container, may be async; the signal aborts when the person leaves the view,
//                               which may still be loading. The view's heading (h1) is made here.
import { get, openSession } from './api.js';
import { announce, fails, fill, h } from './dom.js';
import * as live from './live.js';
import { about, t, use } from './texts.js';

const main = document.getElementById('main');
let leaving = new AbortController();

const views = () => [['now', t('Now')], ['chat', t('Chat')], ['practice', t('Practice')], ['dashboard', t('Dashboard')],
  ['settings', t('Settings')], ['start', t('First steps')], ...(about.isDeveloper ? [['developer', t('Developer')]] : [])];

function route() {
  const [name, ...rest] = decodeURIComponent(location.hash.slice(1)).split('/');
  return views().some(([view]) => view === name) ? [name, rest.join('/')] : ['now', ''];
}

async function show(isFirst) {
  const [name, argument] = route();
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  for (const link of document.querySelectorAll('nav a'))
    if (link.hash === `#${name}`) link.setAttribute('aria-current', 'page'); else link.removeAttribute('aria-current');
  const heading = h('h1', { tabindex: -1 });
  const container = h('div', { class: `view ${name}` });
  fill(main, heading, container);
  try {
    const view = await import(`./${name}.js`);
    if (signal.aborted) return;
    heading.textContent = view.title;
    document.title = `${view.title} – Parley`;
    if (!isFirst) heading.focus({ preventScroll: true });
    scrollTo(0, 0);
    await view.show(container, argument, signal);
  } catch (error) { if (!signal.aborted) failed(container, error); }
}

function failed(container, error) {
  console.error(error);
  // import() says nothing that a person can use.
  container.append(h('p', { class: 'failure' }, main.firstChild.textContent ? error.message : t('The program does not answer.')), h('button', { onclick: () => show() }, t('Try again')));
}

function connectionChanged() {
  const place = document.getElementById('connection');
  const text = { waiting: t('Connecting to the program …'), gone: t('The program has ended: run parley dashboard again.'),
    closed: t('Open this page with: parley dashboard') }[live.connection.state];
  place.hidden = !text;
  place.textContent = text ?? '';
}

async function begin() {
  document.querySelector('.skip').addEventListener('click', (event) => { event.preventDefault(); main.focus(); });
  addEventListener('unhandledrejection', (event) => fails(event.reason));
  try {
    await openSession();
    use(await get('/api/about'));
  } catch (error) {
    fill(main, h('h1', {}, 'Parley'), h('p', { class: 'card' }, error.message));
    return;
  }
  const nav = document.getElementById('nav');
  nav.setAttribute('aria-label', t('Views'));
  fill(nav, h('ul', {}, views().map(([name, title]) => h('li', {}, h('a', { href: `#${name}` }, title)))));
  live.subscribe((event) => {
    if (event.event === 'connection') connectionChanged();
    if (event.event === 'changed' && event.what === 'settings') get('/api/about').then(use, fails);
    if (event.event === 'failure') announce(event.error.message, true);
    if (['consents', 'snapshot'].includes(event.event)) import('./consent.js').then(({ check }) => check()).catch(fails);
  });
  live.open();
  addEventListener('hashchange', () => show(false));
  await show(true);
}

begin();

// SPDX-License-Identifier: MIT
import { get, post } from './api.js';
import { ask, button, fails, field, h, save, svg } from './dom.js';
import { latencies } from './dashboard.js';
import { recent } from './live.js';
import { act, card, change, changes, empty, facts, first, fold, form, join, lines, row, select, table } from './parts.js';
import { about, bytes, date, milliseconds, number, t } from './texts.js';

export const title = t('Developer');

export function show(container, _, signal) {
  const level = select(['info', 'notice', 'warning', 'error', 'critical'].map((name) => [name, name]), 'notice');
  const since = select([['1h', t('the last hour')], ['1d', t('the last day')], ['7d', t('all')]], '1d');
  const logs = card(t('Log'), () => lines(['logs', '--level', level.value, '--since', since.value]), (list) => [
    list.length > 0 && row(button(t('Save'), () => save('parley.log.json', list.map((one) => JSON.stringify(one)).join('\n'), 'application/json'))),
    table([t('Time'), t('Level'), t('Category'), t('Message')], list.slice(-200).reverse().map((one) => [date(one.time, { dateStyle: 'short', timeStyle: 'medium' }), one.level, one.category, one.message]),
      t('Nothing was logged of this level and time.')),
  ]);
  level.addEventListener('change', logs.refresh);
  since.addEventListener('change', logs.refresh);
  logs.firstChild.after(row(field(t('Level'), level), field(t('Since'), since)));

  // The hint of both switches.
  const reach = t('For all your programs, until parley dashboard ends.');
  const state = select([['normal', t('as it is')], ['offline', t('offline')], ['slow', t('slow')], ['failing', t('failing')]]);
  state.addEventListener('change', () => post('/api/developer/network', { network: state.value }).catch(fails));
  const network = card(t('Network'), () => get('/api/developer'), ({ network: now, requests }) => {
    state.value = now;
    return [row(button(t('Refresh'), () => network.refresh()), requests.length > 0 && button(t('Save as HAR'), () => save('parley.har', JSON.stringify(har(requests), null, 1), 'application/json'))),
    table([t('Time'), t('Program'), t('Method'), t('Address'), t('Status'), t('Duration'), t('Sent'), t('Received')],
      requests.map((one) => [date(one.time, { timeStyle: 'medium' }), one.program, one.method, one.url, one.status ?? t('none'), milliseconds(one.milliseconds), bytes(one.requestBytes ?? 0), bytes(one.responseBytes ?? 0)]), t('Nothing was sent yet.'))];
  });
  network.firstChild.after(row(field(t('State'), state, reach)));

  const flags = card(t('Flags'), () => lines(['flags']), (list) => [
    table([t('Name'), t('Value'), t('Origin'), t('Actions')], list.map((one) => {
      const input = h('input', { value: one.value, 'aria-label': one.name });
      const set = async (value) => { await post('/api/developer/flags', { name: one.name, value }); await flags.refresh(); };
      return [[one.name, h('p', { class: 'muted' }, one.summary)], input, join(': ', one.source, one.exclusion),
        row(button(t('Save'), () => set(input.value)), one.source === 'page' && button(t('Remove'), () => set(null)))];
    })),
    empty(reach),
  ]);

  const cache = card(t('Kept answers'), () => first(['cache', 'limit']), (limit) => {
    const [megabytes, days] = ['megabytes', 'days'].map((name) => h('input', { type: 'number', min: 0, value: String(limit[name]), required: true }));
    return [
      limit.entries !== undefined && facts([[t('Entries'), number(limit.entries)], [t('Size'), bytes(limit.bytes)]]),
      form(t('Save'), [field(t('Megabytes'), megabytes), field(t('Days'), days)], () => change(cache, ['cache', 'limit', '--megabytes', megabytes.value, '--days', days.value])),
      row(act(cache, t('Delete all'), ['cache', 'clear'], { sure: t('The kept answers are deleted. Conversations stay.'), kind: 'danger' })),
    ];
  });

  const ledgers = card(t('Latency ledgers'), () => first(['stats']), (stats) => [latencies(stats),
    recent.filter((event) => event.event === 'latency').reverse().map((event) => fold(t('Turn {id} of {program}', { id: event.turn.slice(0, 8), program: event.from }),
      table([t('Stage'), t('Since the start'), t('Since the one before')], event.stages.map((one) => [one.stage, milliseconds(one.sinceStart), milliseconds(one.sincePrevious)]))))]);

  const trace = card(t('Last trace'), () => first(['trace', 'last']), ({ traces: [last] }) => {
    const end = Math.max(1, ...(last?.spans ?? []).map((one) => one.start + one.milliseconds));
    return table([t('Span'), t('Start'), t('Duration')], (last?.spans ?? []).map((one) => [
      h('span', { style: { 'padding-inline-start': `${one.depth}rem` } }, one.name, one.isFailed && ' !'), milliseconds(one.start),
      row(h('span', {}, milliseconds(one.milliseconds)), svg('svg', { viewBox: '0 0 100 8', width: 200, height: 8, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
        svg('rect', { x: 100 * one.start / end, width: Math.max(0.5, 100 * one.milliseconds / end), height: 8, fill: 'var(--accent)' }))),
    ]), t('No turn is kept yet.'));
  });

  const bundle = card(t('Support bundle'), () => null, () => [
    empty(t('What helps to find a fault, without anything that was said or typed.')),
    row(button(t('List the content'), async () => {
      const { contents, archive } = await post('/api/developer/bundle');
      const list = table([t('Name'), t('Content'), t('Size')], contents.map((one) => [one.name, one.about, bytes(one.bytes)]));
      if (await ask(t('Support bundle'), list, [[t('Cancel'), false], [t('Save'), true, 'primary']])) {
        save('parley-diagnostics.zip', Uint8Array.from(atob(archive), (one) => one.charCodeAt(0)), 'application/zip');
      }
    })),
  ]);

  container.append(logs, network, flags, cache, trace, ledgers, bundle);
  changes({ conversations: [trace, ledgers, cache], settings: [flags, cache], network: [network] }, signal);
}

/** HTTP Archive 1.2. */
const har = (requests) => ({ log: { version: '1.2', creator: { name: 'parley', version: about.version }, entries: requests.map((one) => ({
  startedDateTime: one.time, time: one.milliseconds, comment: one.program, cache: {}, timings: { send: 0, wait: one.milliseconds, receive: 0 },
  request: { method: one.method, url: one.url, httpVersion: 'HTTP/1.1', cookies: [], headers: [], queryString: [], headersSize: -1, bodySize: one.requestBytes ?? -1 },
  response: { status: one.status ?? 0, statusText: '', httpVersion: 'HTTP/1.1', cookies: [], headers: [], redirectURL: '', headersSize: -1, bodySize: one.responseBytes ?? -1,
    content: { size: one.responseBytes ?? 0, mimeType: '' } },
})) } });

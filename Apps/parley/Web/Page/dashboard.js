// SPDX-License-Identifier: MIT
import { h } from './dom.js';
import { programs, recent, subscribe } from './live.js';
import { act, bar, card, changes, empty, facts, first, join, lines, plot, row, table } from './parts.js';
import { ago, date, milliseconds, number, percent, t } from './texts.js';

export const title = t('Dashboard');

const money = (value) => number(value, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });
const states = { off: t('off'), idle: t('waiting for the wake word'), listening: t('listening'), thinking: t('thinking'), speaking: t('speaking') };
const stages = {
  answer: t('Time to the first words'), wholeAnswer: t('Time to the whole answer'),
  endpoint: t('End of speech found'), recognition: t('Words recognised'), synthesis: t('Voice made'), playback: t('Sound begins'),
  reply: t('From the end of speech to the first sound'),
};
const outcomes = { answered: t('answered'), refused: t('turned down'), failed: t('failed'), kept: t('wait for the model'), stopped: t('stopped') };

export function show(container, _, signal) {
  const status = card(t('State'), () => first(['status']), (now) => [facts([
    [t('Listening'), listening(now.state)],
    [t('Model'), now.isLocked ? t('not known') : now.model ?? t('none: the states alone answer')],
    [t('Battery'), now.battery ? `${percent(now.battery.percent / 100)} ${now.battery.isCharging ? t('(not being emptied)') : t('(being emptied)')}` : t('none')],
    [t('Last answer'), now.lastAnswer && `${now.lastAnswer.text} (${ago(now.lastAnswer.time)})`],
    [t('Wait for consent'), now.waiting.approvals ? h('a', { href: '#chat' }, number(now.waiting.approvals)) : number(0)],
  ]), now.isLocked && h('p', { class: 'warning' }, t('The app lock is closed: what it seals is shown at a terminal alone.')), now.warnings?.map((text) => h('p', { class: 'warning' }, text))]);

  const server = card(t('Server'), account, (given) => given);

  const waiting = card(t('What waits'), async () => [await first(['later', 'list']), await maybe(['uploads', 'list']), await first(['sync', 'status'])], ([later, uploads, sync]) => [
    h('h3', {}, t('Questions for the model')),
    later.questions.length ? [table([t('Question'), t('Since'), t('State'), t('Actions')], later.questions.map((one) => [
      one.question, ago(one.askedAt), one.reason ? t('stuck: {reason}', { reason: one.reason }) : one.stage === 'waiting' ? t('waits') : t('is being answered'),
      act(waiting, t('Give up'), ['later', 'cancel', one.name], { sure: t('The question stays in its conversation, and gets no answer.'), of: one.question })])),
      row(act(waiting, t('Ask them now'), ['later', 'run']))] : empty(t('No question waits.')),
    h('h3', {}, t('Recordings and results')),
    !uploads ? empty(t('Nothing is sent: nobody is signed in.')) : uploads.length ? [table([t('Item'), t('Since'), t('State'), t('Actions')], uploads.map((one) => [
      `${one.work} ${one.name.slice(0, 8)}`, ago(one.since), join(': ', one.stage, one.reason),
      one.reason && row(act(waiting, t('Retry'), ['uploads', 'retry', String(one.number)]), act(waiting, t('Give up'), ['uploads', 'discard', String(one.number)], { sure: t('It is not sent, and stays on this device.'), of: `${one.work} ${one.name.slice(0, 8)}` }))])),
      row(act(waiting, t('Send now'), ['uploads', 'send']))] : empty(t('Nothing waits.')),
    h('h3', {}, t('Sync')),
    sync.isSetUp ? [facts([
      [t('Place'), sync.place], [t('Changes that wait'), number(sync.waiting) + (sync.waitingSince ? ` (${ago(sync.waitingSince)})` : '')],
      [t('Last exchange'), sync.lastExchange ? ago(sync.lastExchange) : t('none yet')],
      [t('Failure'), sync.failure && `${ago(sync.failure.time)}: ${sync.failure.reason}`], [t('Paused'), sync.isPaused ? t('yes') : t('no')]]),
      row(act(waiting, t('Exchange now'), ['sync', 'now']), act(waiting, sync.isPaused ? t('Go on') : t('Pause'), ['sync', sync.isPaused ? 'resume' : 'pause']))]
      : empty(t('Sync is not set up. To begin: parley sync setup')),
  ]);

  const timers = card(t('Timers and alarms'), () => first(['timers', 'list']), ({ timers: list }) => table([t('Name'), t('Due'), t('State'), t('Actions')],
    list.map((one) => [one.label ?? (one.kind === 'timer' ? t('Timer') : t('Alarm')), date(one.due), one.ringing ? t('rings') : ago(one.due),
      act(timers, t('Cancel'), ['timers', 'cancel', one.id])]), t('No timer and no alarm is set. Say or type: set a timer for five minutes')));

  const devices = card(t('Devices'), () => maybe(['sync', 'devices']), (list) => list ? table([t('Name'), t('State')],
    list.map((one) => [one.name ?? one.id, join(', ', one.isThisDevice && t('this device'), one.isActive ? t('active') : t('removed'))]))
    : empty(t('Only this one: sync is not set up.')));

  const answers = card(t('Answers'), () => first(['stats']), (stats) => stats.questions ? [
    facts([[t('Questions'), number(stats.questions)], [t('Spoken'), number(stats.spoken)], [t('Interrupted'), number(stats.interrupted)],
      [t('Answered'), stats.successRate === undefined ? null : percent(stats.successRate)],
      [t('Kept answers used'), stats.keptAnswerRate === undefined ? t('none') : percent(stats.keptAnswerRate)],
      [t('Kept sentences used'), stats.sentences ? `${percent(stats.sentences.hitRate)} (${number(stats.sentences.cached)} / ${number(stats.sentences.asked)})` : t('none')],
      [t('Counted since'), date(`${stats.since}T12:00`, { dateStyle: 'medium' })]]),
    plot(t('Questions a day'), stats.days.map((day) => [day.date, day.questions]), number),
    counts(t('Answers by source'), t('Source'), stats.answers.map((one) => [one.source ?? t('deleted'), one.count])),
    counts(t('How questions ended'), t('End'), stats.outcomes.map((one) => [join(': ', outcomes[one.outcome] ?? one.outcome, one.code), one.count])),
    latencies(stats),
    h('h3', {}, t('Cost')),
    stats.costs.length > 0 && facts([[t('Together'), money(stats.costs.reduce((sum, one) => sum + (one.cost ?? 0), 0))]]),
    table([t('Day'), t('Model'), t('Answers'), t('Tokens in'), t('Tokens out'), t('Cost')],
        stats.costs.map((one) => [one.date, one.model, number(one.answers), number(one.inputTokens), number(one.outputTokens), one.cost === undefined ? t('no known price') : money(one.cost)]), t('No model was paid.')),
  ] : empty(t('No question was counted yet. Ask one in the chat.')));

  container.append(h('div', { class: 'grid', style: { 'align-items': 'start' } }, status, server, timers, devices), waiting, answers);
  changes({ conversations: [answers, status, waiting], alarms: [timers, status], sync: [waiting, devices, status], practice: [waiting], settings: [status, server] }, signal);
  subscribe((event) => {
    if (['state', 'started', 'ended', 'power', 'snapshot'].includes(event.event)) listening();
    if (event.event === 'consents') status.touch();
  }, signal);
}

const place = h('span');
let known = 'off';

/** What the programs do, and how; without any that publish, what the command said. */
function listening(state = known) {
  known = state;
  const all = [...programs.values()].map((one) => {
    const saves = recent.findLast((event) => event.event === 'power' && event.pid === one.pid)?.isSaving;
    return join(', ', `${one.from}: ${states[one.state] ?? one.state}`, one.isMuted && t('muted'), saves && t('with less power'));
  });
  place.textContent = all.join('; ') || (states[state] ?? state);
  return place;
}

/** The lines of a command; null if it needs an account or a setup that is not there. */
async function maybe(words) {
  try { return await lines(words); } catch (error) {
    if (['signInNeeded', 'invalidInput', 'usage', 'auth.signedOut'].includes(error.code)) return null;
    throw error;
  }
}

async function account() {
  try {
    const { account: who, server } = await first(['whoami']);
    return facts([[t('Server'), server], [t('State'), t('answers')], [t('Signed in'), who?.email ?? who?.id]]);
  } catch (error) {
    if (!error.code) throw error;
    if (error.code === 'usage') return empty(t('No server is known. To sign in: parley sign-in EMAIL --server URL'));
    return [h('p', { class: 'warning' }, error.exit === 5 ? t('The server cannot be reached.') : t('Nobody is signed in.')), empty(error.message)];
  }
}

function counts(caption, head, list) {
  const all = list.reduce((sum, [, count]) => sum + count, 0);
  return list.length > 0 && [h('h3', {}, caption), table([head, t('Number'), t('Share')],
    list.map(([name, count]) => [name, number(count), [percent(count / all), bar(percent(count / all), count / all)]]))];
}

export const latencies = (stats) => [h('h3', {}, t('Latency')), table([t('Stage'), t('Source'), t('Number'), 'p50', 'p90', 'p99', t('Longest')],
  stats.latencies.map((one) => [stages[one.stage] ?? one.stage, one.source ?? '', number(one.count), milliseconds(one.p50), milliseconds(one.p90), milliseconds(one.p99), milliseconds(one.longest)]),
  t('Nothing was measured yet.'))];

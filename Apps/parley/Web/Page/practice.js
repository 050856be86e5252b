// SPDX-License-Identifier: MIT
import { follow, request, runs, send, start } from './api.js';
import { announce, button, fails, field, fill, h } from './dom.js';
import { act, bar, card, changes, empty, facts, fillBar, first, fold, join, lines, plot, row, select, table } from './parts.js';
import { about, ago, bytes, date, number, percent, seconds, t } from './texts.js';

export const title = t('Practice');

const language = (tag) => new Intl.DisplayNames(about.language, { type: 'language' }).of(tag);
const spoken = (cue) => h('span', { lang: cue.language, dir: 'auto' }, cue.text);
const ratings = { again: t('forgotten'), hard: t('hard'), good: t('good'), easy: t('easy') };
const verdicts = {
  right: ['✓', t('right'), 'success'], missed: ['✗', t('missed'), 'failure'],
  inserted: ['+', t('added'), 'warning'], unjudged: ['?', t('not judged'), 'muted'],
};
const next = ['n', t('Next')];
const again = ['r', t('Again')];
const quit = ['q', t('End practice')];
const away = ['x', t('Throw away'), 'danger'];
/** The keys of parley practice in each state. */
const states = {
  viewing: [t('Read it, then record yourself.'), ['', t('Record'), 'primary'], next, quit],
  recording: [t('Recording …'), ['', t('Stop'), 'primary'], [' ', t('Pause')], away],
  paused: [t('The recording rests.'), [' ', t('Go on'), 'primary'], ['', t('Stop')], away],
  reviewing: [t('Listen to it, then keep it or try again.'), ['p', t('Play')], ['k', t('Keep'), 'primary'],
    ['1', t('Keep as forgotten')], ['2', t('Keep as hard')], ['3', t('Keep as good')], ['4', t('Keep as easy')], again, away],
  waiting: [t('Analysing …'), next],
  result: [t('Kept.'), [...next, 'primary'], again, quit],
  failed: ['', [...again, 'primary'], next, quit],
};

export async function show(container, _, signal) {
  const filters = { language: select([['', t('All')]]), topic: select([['', t('All')]]), level: select([['', t('All')]]) };
  const chosen = () => Object.entries(filters).flatMap(([name, input]) => input.value ? [`--${name}`, input.value] : []);
  let run = null;
  let pages = 1;

  const exercise = h('section', { class: 'card', 'aria-label': t('Exercise'), hidden: true });
  const more = () => {
    const element = button(t('More'), () => { pages += 1; return cues.refresh(); });
    element.dataset.does = 'more';
    return element;
  };
  const cues = card(t('Cues'), async () => {
    let listed = { cues: [] };
    for (let count = 0; count < pages && (!count || listed.next); count += 1) {
      // The last line has what the server has, or why it is old.
      const page = (await lines(['cues', 'list', '--limit', '200', ...(listed.next ? ['--after', listed.next] : []), ...chosen()])).at(-1);
      listed = { ...page, cues: [...listed.cues, ...page.cues] };
    }
    return [listed, listed.cues.length ? (await first(['cues', 'next', ...chosen()])).cues[0] : null];
  }, ([listed, cue], place) => {
    const list = listed.cues;
    for (const [name, input] of Object.entries(filters)) {
      const taken = new Set([...input.options].map((option) => option.value));
      for (const value of new Set(list.map((cue) => String(cue[name])))) {
        if (!taken.has(value)) input.append(h('option', { value }, name === 'language' ? language(value) : value));
      }
    }
    const n = number(list.length);
    const all = list.length > 0 && fold(listed.next ? t('The first {n} cues', { n }) : t('All {n} cues', { n }),
      table([t('Cue'), t('Practised'), t('Language'), t('Level'), t('Topic'), t('Actions')],
        list.map((each) => [spoken(each), each.practised && '✓', language(each.language), number(each.level), each.topic,
          button(t('Practise'), () => begin(each.id))])),
      listed.next && more());
    // Its title changes with what it lists.
    if (all) all.open = place.querySelector('details')?.open ?? false;
    return [
      cue ? row(button(t('Begin'), () => begin(), 'primary'), h('span', { class: 'muted' }, t('The next one:')), spoken(cue))
        : empty(t('There is no cue of this kind. Choose another language, topic or level.')),
      listed.freshness === 'old' && h('p', { class: 'muted' }, t('This list is old, {a}. {b}', {
        a: listed.storedAt ? t('as the server had it {a}', { a: ago(listed.storedAt) }) : t('only what came with the program'), b: listed.error.message })),
      all,
    ];
  });
  const fields = h('div', { class: 'row' }, field(t('Language'), filters.language), field(t('Topic'), filters.topic), field(t('Level'), filters.level));
  for (const input of Object.values(filters)) input.addEventListener('change', () => { pages = 1; cues.refresh(); });
  cues.firstChild.after(fields);

  // The server is asked once. Asking changes the practice file, and each change there draws the card again.
  let offline = [];
  const progress = card(t('Progress'), async () => {
    const all = await first(['progress', ...offline]);
    offline = ['--offline'];
    return [all, await lines(['progress', '--list', '--limit', '20', ...offline])];
  }, ([all, list]) => all.count ? [
    facts([[t('Times'), number(all.count)], [t('Days in a row'), number(all.currentStreak)], [t('Most days in a row'), number(all.longestStreak)],
      [t('Cues practised'), t('{a} of {b}', { a: number(all.practised), b: number(all.cues) })]]),
    plot(t('Practised a day'), all.days.map((day) => [day.date, day.count]), number),
    plot(t('Words right'), all.days.filter((day) => day.accuracy !== undefined).map((day) => [day.date, day.accuracy]), percent),
    fold(t('The last times'), list.map((result) => h('div', { class: 'stack' },
      h('p', {}, spoken(result), ' ', h('span', { class: 'muted' }, date(result.practisedAt), ' · ', ratings[result.rating] ?? result.rating)),
      evaluation(result.serverEvaluation ?? result.evaluation),
      row(act(progress, t('Delete this result'), ['progress', 'delete', result.id], { sure: t('The result is deleted here and at the server, for good. Its recording stays.'), of: join(', ', result.text, date(result.practisedAt)), kind: 'quiet' }))))),
  ] : empty(t('Nothing was practised yet. Choose a cue and begin.')));

  const player = h('audio', { controls: true, hidden: true, 'aria-label': t('Recording') });
  const recordings = card(t('Recordings'), () => lines(['recordings', 'list']), (list) => table(
    [t('Cue'), t('Recorded'), t('Length'), t('Size'), t('State'), t('Actions')],
    list.map((one) => [one.text ?? '', date(one.createdAt), seconds(one.seconds), bytes(one.bytes),
      one.isFinished === false ? t('not finished') : one.isSent ? t('sent') : t('on this device only'),
      row(button(t('Play'), () => sound(player, one.id)), act(recordings, t('Delete'), ['recordings', 'delete', one.id], { sure: t('The recording is deleted here and at the server, for good. Its result stays.'), of: join(', ', one.text, date(one.createdAt)), kind: 'danger' }))]), t('Nothing was recorded yet. What you keep while you practise is listed here.')));
  recordings.append(player);

  container.append(exercise, cues, progress, recordings);

  const level = bar(t('Level of the microphone'));
  level.hidden = true;
  const status = h('p', { role: 'status' });
  const stage = h('div', { class: 'stack' });
  exercise.append(stage, level, status);

  async function begin(cue) {
    if (run) throw new Error(t('You practise already: see above.'));
    await attach(await start(['practice', ...chosen(), ...(cue ? ['--cue', cue] : [])]), true);
  }

  async function attach(id, isNew) {
    run = { id };
    exercise.hidden = false;
    fill(status, t('Starting …'));
    if (isNew) exercise.scrollIntoView({ block: 'nearest' });
    let isFirst = isNew;
    const following = follow(id, ({ out, note }) => {
      if (note) return announce(note);
      if (out.error) run.failure = out.error.message;
      if (out.event === 'result') run.result = out;
      if (out.event === 'meter' || out.event === 'level') fillBar(level, out.level ?? out.db);
      if (out.event === 'problem') announce(out.error.message, true);
      if (out.event === 'state') {
        if (['viewing', 'recording'].includes(out.state)) run.result = undefined;
        run.state = out;
      }
      if (out.event === 'state' || out.event === 'result') draw(isFirst);
      isFirst = false;
    }, { signal });
    following.then(({ exit }) => {
      const failure = run.failure;
      run = null;
      if (stage.contains(document.activeElement)) cues.firstChild.focus();
      fill(stage, failure && h('p', { class: 'failure' }, failure));
      fill(status, exit === 0 && t('Practice has ended.'));
      level.hidden = true;
      if (failure) announce(failure, true);
      for (const place of [cues, progress, recordings]) place.touch();
    }, (error) => { run = null; fails(error); });
  }

  function draw(takesFocus) {
    const { state, result, id } = run;
    const [words, ...keys] = states[state.state] ?? ['', quit];
    const had = takesFocus || stage.contains(document.activeElement);
    level.hidden = state.state !== 'recording';
    fill(stage, h('h2', { lang: state.language, dir: 'auto' }, state.text),
      h('p', { class: 'muted' }, state.hint),
      state.error && h('p', { class: 'failure' }, state.error.message),
      result && [evaluation(result.evaluation), row(button(t('Play'), () => sound(player, result.recording)))],
      row(keys.map(([key, label, kind]) => {
        const element = button(label, () => send(id, key), kind);
        // It goes on once the result is stored.
        if (state.state === 'waiting' && !result) element.setAttribute('aria-disabled', 'true');
        if (key.trim()) element.setAttribute('aria-keyshortcuts', key);
        return element;
      })));
    fill(status, state.state === 'failed' ? t('That failed.') : words);
    if (had) stage.querySelector('button.primary, button')?.focus({ preventScroll: true });
  }

  // The keys of parley practice, while the focus is in the exercise.
  exercise.addEventListener('keydown', (event) => {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.altKey || event.metaKey || !run?.state || event.target.matches('input, select, audio')) return;
    stage.querySelector(`[aria-keyshortcuts="${CSS.escape(key)}"]`)?.click();
  });

  changes({ practice: [progress, recordings] }, signal);
  signal.addEventListener('abort', () => {
    if (['recording', 'paused', 'reviewing'].includes(run?.state?.state)) announce(t('The recording is thrown away if you do not come back within 30 seconds.'), true);
  });
  const going = (await runs()).find((one) => one.isRunning && one.words[0] === 'practice' && (one.words[1] ?? '--').startsWith('--'));
  if (going) attach(going.run, false);
}

async function sound(player, id) {
  URL.revokeObjectURL(player.src);
  player.src = URL.createObjectURL(await (await request(`/api/sound/${id}`)).blob());
  player.hidden = false;
  await player.play();
}

function evaluation(given) {
  if (!given) return empty(t('It was not evaluated.'));
  return [
    given.words && h('ul', { class: 'row', style: { 'list-style': 'none', padding: 0 } }, given.words.map(({ text, verdict }) => {
      const [sign, words, kind] = verdicts[verdict] ?? ['', verdict, ''];
      return h('li', { class: `chip ${kind}` }, `${sign} ${text} `, h('small', {}, words));
    })),
    facts([
      [t('Words right'), given.accuracy === undefined ? null : percent(given.accuracy)],
      [t('Words a minute'), given.wordsPerMinute && number(given.wordsPerMinute, { maximumFractionDigits: 0 })],
      [t('Speech'), seconds(given.speechSeconds)],
      [t('Pauses'), given.pauseSeconds.length ? given.pauseSeconds.map(seconds).join(', ') : null],
      [t('Too loud'), given.clippedShare ? percent(given.clippedShare) : null],
    ]),
  ];
}

// SPDX-License-Identifier: MIT
import { end, follow, start } from './api.js';
import { announce, ask, button, field, fill, h } from './dom.js';
import { act, card, change, changes, command, empty, facts, first, fold, form, join, lines, row, select, table } from './parts.js';
import { date, known, number, seconds, t } from './texts.js';

export const title = t('Settings');

const used = (place, words, isUsed) => isUsed ? h('span', { class: 'success' }, `✓ ${t('in use')}`) : act(place, t('Use'), words);
const remove = (place, words) => act(place, t('Remove'), words, { sure: t('It is removed from this device.'), of: words.at(-1), kind: 'danger' });
const input = (attributes) => h('input', attributes);

/** Inputs of settings, and what stores those that were changed. */
function inputs(list, wanted) {
  const fields = list.filter((one) => wanted(one.name)).map((one) => {
    const value = one.value ?? '';
    const element = one.choices ? select(one.choices.map((choice) => [choice, choice]), value)
      : input({ value, ...(one.type === 'number' ? { type: 'number', min: one.minimum, max: one.maximum } : one.type === 'dollars' ? { type: 'number', min: 0, step: 'any' } : { spellcheck: 'false' }) });
    // A page may not choose who gets a person's words.
    element.disabled = one.origin === 'environment' || ['base-url', 'api-key'].includes(one.name);
    const origin = one.origin === 'environment' ? t('set by {name}', { name: one.variables.join(', ') }) : one.origin === 'default' ? t('the default') : one.problem;
    return { name: one.name, value, element, box: field(one.name, element, join(' · ', known(one.help), one.takes, origin)) };
  });
  return [fields, async () => {
    const notes = [];
    for (const { name, value, element } of fields) {
      if (element.value !== value) notes.push(...(await command(element.value === '' ? ['settings', 'unset', name] : ['settings', 'set', name, '--', element.value])).notes);
    }
    announce(notes.join('\n') || t('Nothing was changed.'));
    return notes.length > 0;
  }];
}

const NEAR = ['language', 'theme'];
const WAKING = ['wake-word', 'sensitivity', 'follow-up'];

function settingsCard(label, wanted, changed, more) {
  return card(label, () => lines(['settings', 'list']), (list, place) => {
    const [fields, store] = inputs(list, wanted);
    return [form(t('Save'), fields.map((one) => one.box), async () => { if (await store()) await (changed ?? place.refresh)(); }), more?.(fields)];
  });
}

function waking(signal) {
  const result = h('p', { role: 'status' });
  let [run, word, sensitivity] = [];
  const test = button(t('Try it'), async () => {
    if (run) return end(run);
    let [hasWoken, failure] = [];
    run = await start(['listen', '--wake-word', word.value, '--sensitivity', sensitivity.value, '--no-history', '--no-notifications', '--no-map', '--no-tones']);
    [test.textContent, result.textContent] = [t('Stop'), t('Starting …')];
    follow(run, ({ out }) => {
      // A failure of the microphone would be tried again for ever.
      if (out?.error) { failure = out.error.message; end(run); }
      if (out?.event === 'state' && !hasWoken) result.textContent = t('Say “{words}”.', { words: word.value });
      if (out?.event === 'wakeWord') { hasWoken = true; end(run); }
    }, { signal }).catch(() => {}).finally(() => {
      [run, test.textContent] = [null, t('Try it')];
      result.textContent = hasWoken ? t('✓ It woke up.') : failure ?? t('It did not wake up. A higher sensitivity makes it easier.');
    });
  });
  signal.addEventListener('abort', () => run && end(run));
  return settingsCard(t('Wake word'), (one) => WAKING.includes(one), null, (fields) => {
    [word, sensitivity] = WAKING.map((wanted) => fields.find((one) => one.name === wanted).element);
    return [row(test), result];
  });
}

function assistants() {
  return card(t('Assistant and models'), async () => [await lines(['assistant', 'list']), await first(['assistant', 'show'])], ([list, now], place) => {
    const models = h('div', { class: 'stack' });
    return [
      facts([[t('Order of answers'), now.order.join(' → ')]]),
      table([t('Name'), t('Server'), t('Model'), t('Actions')], [
        ['states', t('this device'), t('none'), used(place, ['assistant', 'use', 'states'], !now.assistant)],
        ...list.map((one) => [one.name, one.baseURL, one.model, row(used(place, ['assistant', 'use', one.name], one.isUsed), remove(place, ['assistant', 'remove', one.name]))])]),
      empty(t('What is not about US states goes to the model in use. With “states” nothing leaves this device.')),
      row(button(t('Models of the server'), async () => fill(models, table([t('Name'), t('Actions')],
        (await lines(['models'])).map((one) => [one.id, used(place, ['models', 'use', one.id], one.isDefault)]))))), models,
      empty(t('To add one: {command}', { command: 'parley assistant add NAME --base-url URL --model MODEL' })),
    ];
  });
}

function speech() {
  const result = h('p', { role: 'status' });
  return card(t('Speech engines'), () => lines(['speech', 'list']), (list, place) => {
    const purposes = { recognition: t('hears'), synthesis: t('speaks') };
    return [
      table([t('Name'), t('Address'), t('In use'), t('Actions')], [
        ['local', t('this device'), '', act(place, t('Use'), ['speech', 'use', 'local'])],
        ...list.map((one) => [one.name, one.address, one.usedFor.map((purpose) => purposes[purpose]).join(', ') || t('no'),
          row(act(place, t('Use'), ['speech', 'use', one.name]), button(t('Try it'), async () => {
            fill(result, t('Trying {name} …', { name: one.name }));
            try {
              const got = await first(['speech', 'test', one.name]);
              fill(result, join(' · ', `✓ ${one.name}`, got.synthesis && t('speaks after {time}', { time: seconds(got.synthesis.firstSoundMs / 1000) }),
                got.recognition && t('hears after {time}: {words}', { time: seconds(got.recognition.wordsMs / 1000), words: got.recognition.words })));
            } catch (error) { fill(result); throw error; }
          }))])]), result,
      empty(t('To add one: {command}', { command: 'parley speech add NAME --kind PROTOCOL --url URL' })),
    ];
  });
}

function voices() {
  return card(t('Voice profiles'), () => lines(['voices', 'list']), (list, place) => {
    const hear = (profile) => button(t('Try it'), () => command(['say', '--profile', profile, 'This is how I speak.']));
    const factor = () => input({ type: 'number', min: 0.5, max: 2, step: 0.05, placeholder: '1' });
    const fields = [[t('Name'), input({ required: true, pattern: '[A-Za-z0-9_\\-]+' })], [t('Engine'), select(['flite', 'espeak-ng', 'realtime'].map((kind) => [kind, kind]), 'flite'), '--engine'],
      [t('Voice'), input({ placeholder: 'slt' }), '--voice'], [t('Speed'), factor(), '--rate'], [t('Pitch'), factor(), '--pitch']];
    return [
      table([t('Name'), t('Voice'), t('Speed'), t('Pitch'), t('Actions')], [
        ['none', t('the usual voice'), '', '', row(used(place, ['voices', 'use', 'none'], !list.some((one) => one.isUsed)), hear('none'))],
        ...list.map((one) => [one.name, `${one.engine} ${one.voice}`, number(one.rate), number(one.pitch),
          row(used(place, ['voices', 'use', one.name], one.isUsed), hear(one.name), remove(place, ['voices', 'delete', one.name]))])]),
      fold(t('Add a voice profile'), form(t('Add a voice profile'), fields.map(([label, element]) => field(label, element)), () =>
        change(place, ['voices', 'add', ...fields.flatMap(([, { value }, option]) => !value ? [] : option ? [option, value] : [value])]))),
    ];
  });
}

/** Consent to send what is practised; its text comes with the state. */
export function uploads(label = t('Sending recordings and results')) {
  return card(label, async () => {
    try { return await first(['consent', 'show']); } catch (error) {
      if (error.code === 'signInNeeded') return null;
      throw error;
    }
  }, (now, place) => !now ? empty(t('Nothing is sent: nobody is signed in.')) : [
    h('p', {}, now.isAllowed ? t('✓ You agreed {when}.', { when: date(now.decidedAt) }) : now.decision ? t('You did not agree ({when}).', { when: date(now.decidedAt) }) : t('You have not answered yet.')),
    !now.isAllowed && consent(now.text, 'parley consent give'),
    row(!now.isAllowed && now.text && act(place, t('Agree'), ['consent', 'give']), now.held > 0 && now.isAllowed && act(place, t('Send the {n} from before, too', { n: number(now.held) }), ['consent', 'give', '--earlier']),
      now.isAllowed && [act(place, t('Send no more'), ['consent', 'withdraw', '--keep-sent']),
        act(place, t('Send no more, and delete what was sent'), ['consent', 'withdraw', '--delete-sent'], { sure: t('The server deletes what it has of you. What is on this device stays.'), kind: 'danger' })]),
  ]);
}

/** The text that is agreed to. */
const consent = (text, instead) => text ? h('p', { style: { 'white-space': 'pre-wrap' } }, text.join('\n')) : empty(t('To read what is sent, and agree: {command}', { command: instead }));

function context() {
  return card(t('Your situation'), () => first(['context', 'list']), (now, place) => {
    const calendar = input({ 'aria-label': t('Calendar: an .ics file or a folder of them'), placeholder: '/home/…/calendar.ics' });
    return [
      empty(t('What may be read for questions to a model, and what it adds to them.')),
      table([t('Part'), t('Adds'), t('State'), t('Actions')], Object.entries(now.parts).map(([part, one]) => [part, one.adds, one.isAllowed ? t('✓ allowed') : t('not read'),
        one.isAllowed ? act(place, t('Deny'), ['context', 'deny', part]) : part === 'events' ? row(calendar, button(t('Allow'), () => change(place, ['context', 'allow', part, '--calendar', calendar.value]))) : act(place, t('Allow'), ['context', 'allow', part])])),
      now.calendars.length > 0 && facts([[t('Calendars'), now.calendars.join(', ')]]),
      h('p', {}, now.isSent ? t('✓ It is sent to the model in use since {when}.', { when: date(now.sentSince) }) : t('Nothing of it is sent to a model.')),
      !now.isSent && consent(now.text, 'parley context share'),
      row(now.isSent ? act(place, t('Send no more'), ['context', 'withhold']) : now.text && act(place, t('Agree'), ['context', 'share'])),
    ];
  });
}

function data() {
  const file = input({ value: 'parley-export.tar', required: true });
  const result = h('p', { role: 'status' });
  const counts = (given) => Object.entries(given).map(([kind, count]) => `${number(count)} ${kind}`).join(', ');
  return h('section', { class: 'card', 'aria-label': t('Your data') }, h('h2', {}, t('Your data')),
    form(t('Export'), field(t('Archive'), file, t('Where to: .tar. It is not encrypted.')), async () => {
      const got = await first(['data', 'export', file.value]);
      fill(result, `✓ ${got.file}: ${counts(got.counts)}`);
    }),
    row(button(t('Delete everything'), async () => {
      const word = input({ autocomplete: 'off' });
      const given = await ask(t('Delete everything'), [
        h('p', {}, t('This deletes all your recordings, results, conversations, settings and secrets for good, here and at the server. You are signed out.')),
        field(t('To do so, type: {word}', { word: 'delete' }), word)], [[t('Cancel'), null], [t('Delete everything'), () => word.value.trim(), 'danger']]);
      if (given === null) return;
      if (given !== 'delete') throw new Error(t('Nothing was deleted: the word was another one.'));
      fill(result, (await lines(['data', 'delete', '--yes'])).map((one) => t('Deleted ({place}): {what}. Receipt {receipt}', { place: one.place, what: counts(one.counts) || '0', receipt: one.receipt })).join('\n'));
    }, 'danger')), result);
}

export function show(container, _, signal) {
  const [near, wake, others] = [settingsCard(t('Language and colours'), (one) => NEAR.includes(one), () => location.reload()), waking(signal),
    settingsCard(t('All other settings'), (one) => ![...NEAR, ...WAKING].includes(one))];
  const places = [assistants(), speech(), voices(), wake, near, uploads(), context(), others];
  container.append(...places, data());
  changes({ settings: places }, signal);
}

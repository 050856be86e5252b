// SPDX-License-Identifier: MIT
import { end, follow, start } from './api.js';
import { ask, button, fill, h } from './dom.js';
import { bar, card, command, fillBar, first, row } from './parts.js';
import { uploads } from './settings.js';
import { t } from './texts.js';

export const title = t('First steps');

const LOUD = -50;
const stored = (key, value) => sessionStorage.setItem(`parley-step-${key}`, value);
const states = { works: ['success', t('✓ works')], skipped: ['muted', t('skipped')], failed: ['failure', t('✗ does not work')] };

export function show(container, _, signal) {
  const follows = (id, onLine) => {
    signal.addEventListener('abort', () => end(id).catch(() => {}));
    return follow(id, ({ out }) => out && onLine(out), { signal });
  };

  /** A step: load gives what is known, test is what the button does; it returns true if it works, undefined if that is open. */
  function step(key, label, text, load, action, test) {
    const result = h('div', { class: 'stack', role: 'status' });
    const place = card(label, load, (given) => {
      const [kind, words] = states[sessionStorage.getItem(`parley-step-${key}`)] ?? ['', t('not tried yet')];
      const go = async (outcome) => { stored(key, outcome); await place.refresh(); place.nextElementSibling?.querySelector('h2')?.focus(); };
      return [h('p', {}, text), h('p', { class: kind }, words), given, result, row(
        button(action, async () => {
          fill(result);
          let works = false;
          try { works = await test(result); } finally {
            if (works) await go('works');
            else if (works === false && !signal.aborted) { stored(key, 'failed'); await place.refresh(); }
          }
        }, 'primary'),
        button(t('Skip'), () => go('skipped')))];
    });
    return place;
  }
  const found = (direction) => async () => h('p', { class: 'muted' }, t('Found: {devices}', { devices: (await first(['devices'])).devices.filter((one) => one[direction]).map((one) => one.description || one.name).join(', ') || t('none') }));
  const model = async () => (await first(['assistant', 'show'])).assistant;

  container.append(
    h('p', {}, t('Try what Parley needs, a step each. Skip what you do not want now.')),
    step('microphone', t('1. Microphone'), t('Speak for five seconds: the bar shows how loud you are.'), found('capture'), t('Test the microphone'), async (result) => {
      const level = bar(t('Level of the microphone'));
      fill(result, t('Speak now.'), level);
      let [loudest, failure] = [-120, null];
      await follows(await start(['audio', 'meter', '--seconds', '5']), (out) => {
        if (out.error) failure = out.error;
        if (out.rms === undefined) return;
        loudest = Math.max(loudest, out.rms);
        fillBar(level, out.rms);
      });
      if (failure) throw new Error(failure.message);
      if (loudest < LOUD) throw new Error(t('Nothing was heard. Is the microphone muted, or is another one chosen?'));
      return true;
    }),
    step('loudspeaker', t('2. Loudspeaker'), t('Parley says a sentence.'), found('playback'), t('Test the loudspeaker'), async () => {
      await command(['say', 'This is how I speak.']);
      const heard = await ask(t('Did you hear it?'), h('p', {}, t('Parley said: “{words}”', { words: 'This is how I speak.' })), [[t('No'), false], [t('Yes'), true, 'primary']]);
      return heard ?? undefined;
    }),
    step('voice', t('3. Voice'), t('Ask aloud, in English: What is the capital of Texas?'), async () => null, t('Ask aloud'), async (result) => {
      const id = await start(['talk', '--once', '--no-history', '--no-map']);
      fill(result, t('Ask now.'), row(button(t('Stop'), () => end(id))));
      let [works, failure] = [undefined, null];
      await follows(id, (out) => {
        if (out.event === 'transcript') result.append(h('p', {}, t('Heard: {words}', { words: out.text })));
        if (out.event === 'answer') { works = true; result.append(h('p', {}, out.answer)); }
        if (out.error) failure = out.error;
      });
      if (failure) throw new Error(failure.message);
      return works;
    }),
    step('assistant', t('4. Assistant'), t('US states are answered on this device; a model answers the rest, if one is in use.'), async () => h('p', {}, t('In use: {name}', { name: (await model())?.name ?? t('none') }), ' ', h('a', { href: '#settings' }, t('Settings'))),
      t('Ask a question'), async (result) => {
        const question = await model() ? 'Say hello in three words.' : 'What is the capital of Texas?';
        const { answer } = await first(['ask', '--no-history', question]);
        fill(result, `${question} – ${answer}`);
        return await ask(t('Is this an answer?'), h('p', {}, `${question} – ${answer}`), [[t('No'), false], [t('Yes'), true, 'primary']]) ?? undefined;
      }),
    uploads(t('5. Consent')));
}
